// Text within markup: what would open a tag, an entity or the end of an attribute is spelled out.

/** `text` for the content or a quoted attribute of HTML or XML. It does not touch control characters: make outside text inert first. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
