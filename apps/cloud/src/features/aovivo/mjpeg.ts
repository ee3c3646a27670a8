const BOUNDARY = 'quadro'

/** Each part replaces the previous one; browsers show a moving picture. */
export const MJPEG = 'multipart/x-mixed-replace'
export const MJPEG_TYPE = `${MJPEG}; boundary=${BOUNDARY}`

/**
 * JPEG files as the parts of a multipart body (RFC 2046, 5.1.1). The boundary follows each part at once, because a
 * browser shows a part only after its boundary.
 */
export async function* asMjpeg(frames: AsyncGenerator<Buffer, void, void>): AsyncGenerator<Uint8Array, void, void> {
  let before = `--${BOUNDARY}\r\n`
  for await (const jpeg of frames) {
    const headers = `Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`
    yield Buffer.concat([Buffer.from(before + headers), jpeg, Buffer.from(`\r\n--${BOUNDARY}\r\n`)])
    before = ''
  }
}
