/**
 * `response`, with `over` called once when its body has been read to the end, was given up, or is not there. A body that the
 * reader leaves in the middle counts as given up when the connection closes.
 */
export function whenOver(response: Response, over: () => void): Response {
  const { body, status, statusText, headers } = response
  if (!body) {
    over()
    return response
  }
  const reader = body.getReader()
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        over()
        controller.close()
      } catch (error) {
        over()
        controller.error(error)
      }
    },
    async cancel(reason) {
      over()
      await reader.cancel(reason)
    },
  })
  return new Response(watched, { status, statusText, headers })
}
