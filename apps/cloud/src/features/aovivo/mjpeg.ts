const BOUNDARY = 'quadro'

/** Each part takes the place of the one before it; browsers show it as a picture that moves. */
export const MJPEG = 'multipart/x-mixed-replace'
export const MJPEG_TYPE = `${MJPEG}; boundary=${BOUNDARY}`

/**
 * JPEG files as the parts of a multipart body (RFC 2046, 5.1.1). The boundary goes out behind each part and not before the next
 * one: a browser shows a part when it has seen its end.
 */
export async function* asMjpeg(frames: AsyncGenerator<Buffer, void, void>): AsyncGenerator<Uint8Array, void, void> {
  let before = `--${BOUNDARY}\r\n`
  for await (const jpeg of frames) {
    const headers = `Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`
    yield Buffer.concat([Buffer.from(before + headers), jpeg, Buffer.from(`\r\n--${BOUNDARY}\r\n`)])
    before = ''
  }
}
