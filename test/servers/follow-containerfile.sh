#!/usr/bin/env bash
# Follows the Containerfile where no image can be built, and runs a command in its last stage:
#   follow-containerfile.sh CONTEXT COMMAND…
# Each stage is a copy-on-write view of this system, whose Node stands for that of the base image. Needs root on Linux; ends with code 77 where
# the system does not allow such views.
set -euo pipefail

if [ "${1:-}" != --inside ]; then
  [ "$(id -u)" = 0 ] && unshare --mount true 2>/dev/null || exit 77
  exec unshare --mount -- "$0" --inside "$@"
fi
context=$(realpath "$2")
shift 2
stages=$(mktemp -d)
trap 'umount --recursive --lazy "$stages" 2>/dev/null || true; rmdir "$stages"' EXIT
mount -t tmpfs tmpfs "$stages" || exit 77

stage=0 root='' workdir=/ user=root
declare -A named

begin_stage() {
  stage=$((stage + 1)) workdir=/ user=root
  root=$stages/$stage/root
  mkdir -p "$root" "$stages/$stage/upper" "$stages/$stage/work"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$stages/$stage/upper,workdir=$stages/$stage/work" "$root" || exit 77
  for system in proc dev; do mount --rbind "/$system" "$root/$system"; done
  # The user of the base image.
  id -u node >/dev/null 2>&1 || chroot "$root" useradd --create-home node
}

# Runs a command in the stage.
inside() {
  local home=/root
  [ "$user" = root ] || home=/home/$user
  # shellcheck disable=SC2016
  HOME=$home chroot --userspec="$user" "$root" sh -c 'cd "$0" && exec "$@"' "$workdir" "$@"
}

copy() {
  local from=$context exclude=()
  if [[ $1 == --from=* ]]; then
    from=${named[${1#--from=}]}
    shift
  else
    mapfile -t exclude < <(sed 's|^|--exclude=./|' "$context/.dockerignore")
  fi
  local sources=("${@:1:$#-1}") to=${!#} source
  [[ $to == /* ]] || to=$workdir/$to
  for source in "${sources[@]}"; do
    if [ -d "$from/$source" ]; then
      mkdir -p "$root$to"
      tar -C "$from/$source" "${exclude[@]}" -cf - . | tar -C "$root$to" -xf -
    else
      mkdir -p "$root$to"
      cp -a "$from/$source" "$root$to/"
    fi
  done
}

while read -r word rest; do
  case $word in
    FROM)
      begin_stage
      [[ $rest == *' AS '* ]] && named[${rest##* AS }]=$root
      ;;
    WORKDIR) workdir=$rest && mkdir -p "$root$workdir" ;;
    USER) user=$rest ;;
    # shellcheck disable=SC2086
    COPY) copy $rest ;;
    RUN) inside sh -c "$rest" >&2 </dev/null ;;
    '' | '#'* | CMD) ;;
    *) echo "$word is not followed here" >&2 && exit 2 ;;
  esac
done < <(sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' "$context/Containerfile")
inside "$@" </dev/null
