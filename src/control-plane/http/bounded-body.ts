// Reads a request's body without ever holding more of it than its limit.

/** The body as text, or undefined when it is larger than `maxBytes`; the rest is not read then. */
export async function readBounded(request: Request, maxBytes: number): Promise<string | undefined> {
  if (request.body === null) return '';
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
