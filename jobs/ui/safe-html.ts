/** Text as HTML and SVG may hold it, also in attributes. */
export function safe(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
