import sharp, { type OverlayOptions } from 'sharp'

/** One labelled box; fractions of the picture, left upper corner and size. */
export interface Mark {
  readonly file: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly caption: string
}

export interface SheetShape {
  readonly columns: number
  readonly rows: number
  readonly cellPx: number
}

const CAPTION_PX = 16
const COLOURS = ['#ff2d2d', '#00e5ff', '#ffe600', '#39ff14', '#ff4dff', '#ffffff', '#ff9500', '#7d9bff']
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Crops of boxes in reading order. The cell shows the box `enlarge` times, as a square, with a thin outline. */
export async function drawCrops(marks: readonly Mark[], shape: SheetShape, enlarge: number): Promise<Buffer> {
  const cells: OverlayOptions[] = []
  for (const [index, mark] of marks.entries()) {
    const left = (index % shape.columns) * shape.cellPx
    const top = Math.floor(index / shape.columns) * (shape.cellPx + CAPTION_PX)
    cells.push({ input: await crop(mark, shape.cellPx, enlarge), left, top: top + CAPTION_PX })
    cells.push({ input: heading(mark.caption, shape.cellPx), left, top })
  }
  return sheet(shape.columns * shape.cellPx, shape.rows * (shape.cellPx + CAPTION_PX), cells)
}

async function crop(mark: Mark, cellPx: number, enlarge: number): Promise<Buffer> {
  const { width, height } = await sharp(mark.file).metadata()
  const side = Math.max(4, Math.round(Math.max(mark.w * width, mark.h * height) * enlarge))
  const left = Math.round((mark.x + mark.w / 2) * width - side / 2)
  const top = Math.round((mark.y + mark.h / 2) * height - side / 2)
  // A margin around the whole picture, so that crops at its border keep their centre.
  const padded = await sharp(mark.file)
    .extend({ top: side, bottom: side, left: side, right: side, background: '#777' })
    .toBuffer()
  const scale = cellPx / side
  const outline =
    `<rect x="${(mark.x * width - left) * scale}" y="${(mark.y * height - top) * scale}" ` +
    `width="${mark.w * width * scale}" height="${mark.h * height * scale}" fill="none" stroke="#0f0" stroke-width="1"/>`
  return sharp(padded)
    .extract({ left: left + side, top: top + side, width: side, height: side })
    .resize(cellPx - 2, cellPx - 2, { kernel: 'cubic' })
    .composite([{ input: svg(cellPx - 2, cellPx - 2, outline), left: 0, top: 0 }])
    .png()
    .toBuffer()
}

/** Whole pictures with numbered outlines; one cell a picture. */
export async function drawPictures(
  pictures: readonly { readonly file: string; readonly title: string; readonly marks: readonly Mark[] }[],
  shape: SheetShape,
): Promise<Buffer> {
  const cells: OverlayOptions[] = []
  for (const [index, { file, title, marks }] of pictures.entries()) {
    const left = (index % shape.columns) * shape.cellPx
    const top = Math.floor(index / shape.columns) * (shape.cellPx + CAPTION_PX)
    const { data, info } = await sharp(file)
      .resize(shape.cellPx - 4, shape.cellPx - 4, { fit: 'inside', kernel: 'cubic' })
      .toBuffer({ resolveWithObject: true })
    const outlines = marks.map((mark, number) => {
      const colour = COLOURS[number % COLOURS.length]
      const [x, y] = [mark.x * info.width, mark.y * info.height]
      return (
        `<rect x="${x}" y="${y}" width="${mark.w * info.width}" height="${mark.h * info.height}" fill="none" ` +
        `stroke="${colour}" stroke-width="1.5"/><text x="${x + 2}" y="${Math.max(y + 13, 13)}" fill="${colour}" ` +
        `font-family="sans-serif" font-weight="bold" font-size="14" stroke="#000" stroke-width="3" ` +
        `paint-order="stroke">${escaped(mark.caption)}</text>`
      )
    })
    cells.push({ input: data, left, top: top + CAPTION_PX })
    cells.push({ input: svg(info.width, info.height, outlines.join('')), left, top: top + CAPTION_PX })
    cells.push({ input: heading(title, shape.cellPx), left, top })
  }
  return sheet(shape.columns * shape.cellPx, shape.rows * (shape.cellPx + CAPTION_PX), cells)
}

const heading = (text: string, widthPx: number): Buffer =>
  svg(
    widthPx,
    CAPTION_PX,
    `<text x="2" y="13" font-family="sans-serif" font-size="13" fill="#fff">${escaped(text)}</text>`,
  )

const svg = (width: number, height: number, inside: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inside}</svg>`)

const sheet = (width: number, height: number, cells: OverlayOptions[]): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#333' } })
    .composite(cells)
    .png()
    .toBuffer()
