import type { LiveFrame } from './live-views.ts'

const BOUNDARY = 'quadro'

/** Each part replaces the previous one; browsers show a moving picture. */
export const MJPEG = 'multipart/x-mixed-replace'
export const MJPEG_TYPE = `${MJPEG}; boundary=${BOUNDARY}`

/**
 * Frames as the parts of a multipart body (RFC 2046, 5.1.1). The boundary follows each part at once, because a browser
 * shows a part only after its boundary.
 */
export async function* asMjpeg(frames: AsyncGenerator<LiveFrame, void, void>): AsyncGenerator<Uint8Array, void, void> {
  let before = `--${BOUNDARY}\r\n`
  for await (const { jpeg, caixas } of frames) {
    const headers = `Content-Type: image/jpeg\r\n${boxesHeader(caixas)}Content-Length: ${jpeg.length}\r\n\r\n`
    yield Buffer.concat([Buffer.from(before + headers), jpeg, Buffer.from(`\r\n--${BOUNDARY}\r\n`)])
    before = ''
  }
}

const LONGEST_LABEL = 24
const round = (value: number) => Math.round(value * 1000) / 1000

/**
 * `X-Caixas: [["person",0.87,0.1,0.2,0.3,0.4]]`: label, confidence, x, y, width, height. Empty without data. The label
 * comes from the edge: JSON escapes line breaks, and other characters than printable ASCII are dropped.
 */
function boxesHeader(caixas: LiveFrame['caixas']): string {
  if (caixas === null) return ''
  const compact = caixas.map(({ rotulo, confianca, x, y, w, h }) => [
    rotulo.replace(/[^ -~]/g, '').slice(0, LONGEST_LABEL),
    ...[confianca, x, y, w, h].map(round),
  ])
  return `X-Caixas: ${JSON.stringify(compact)}\r\n`
}
