/** Script of a Slurm job: it starts the ranks by srun. */

/**
 * A rank that is lost alone is started again where it was, for a while. If that does not help, or it failed for good, srun ends
 * all.
 */
const AGAIN = `tries=0
while :; do
  "$@"; code=$?
  case $code in 0|1|2|70) exit $code;; esac
  tries=$((tries + 1))
  [ $tries -lt 20 ] || exit $code
  sleep $((tries < 10 ? tries : 10))
done`;

/** A line of a shell script. @param srunArgs further arguments of srun. */
export function srunCommand(command: readonly string[], srunArgs: readonly string[] = []): string {
  const words = ['srun', '--kill-on-bad-exit=1', ...srunArgs, 'sh', '-c', AGAIN, 'sh', ...command];
  return `exec ${words.map(quote).join(' ')}`;
}

/** Quotes an argument as a word of a shell. */
function quote(argument: string): string {
  return /^[\w./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
