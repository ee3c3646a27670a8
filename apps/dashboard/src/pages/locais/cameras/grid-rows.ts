import type { Camera } from '@vigia/contracts/cameras'
import type { CameraGroup } from './group-cameras.ts'

/** px. */
export interface GridSizes {
  readonly columns: number
  readonly cardWidth: number
  readonly cardHeight: number
  readonly headingHeight: number
  readonly gap: number
}

/** rem. */
const GAP = 0.8
const CAPTION = 3.6
const HEADING = 2.6
const WIDE_LIST = 40
/** Narrowest card. A phone shows two columns. */
const CARD = { narrow: 9.5, wide: 15 }

/** Sizes of the cards in a list of this width; the picture is 16:9. @param rem px */
export function gridSizes(width: number, rem: number): GridSizes {
  const gap = GAP * rem
  const least = (width < WIDE_LIST * rem ? CARD.narrow : CARD.wide) * rem
  const columns = Math.max(1, Math.floor((width + gap) / (least + gap)))
  const cardWidth = Math.max(0, width - gap * (columns - 1)) / columns
  return { columns, cardWidth, cardHeight: (cardWidth * 9) / 16 + CAPTION * rem, headingHeight: HEADING * rem, gap }
}

/** One row of the grid: the heading of a group (no cameras), or some cards of it. */
export interface GridRow {
  readonly key: string
  readonly height: number
  readonly group: CameraGroup
  readonly cameras: readonly Camera[]
  /** Place of the first camera of the row in its group, from 0. */
  readonly first: number
}

/** Rows of all groups, one after the other. */
export function gridRows(groups: readonly CameraGroup[], sizes: GridSizes): readonly GridRow[] {
  const { columns, cardHeight, headingHeight, gap } = sizes
  return groups.flatMap((group) => {
    const { key, nome, cameras } = group
    const starts = Array.from({ length: Math.ceil(cameras.length / columns) }, (_, row) => row * columns)
    const rows = starts.map((first) => ({
      key: `${key}-${first}`,
      height: cardHeight + gap,
      group,
      cameras: cameras.slice(first, first + columns),
      first,
    }))
    const heading = { key, height: headingHeight, group, cameras: [], first: 0 }
    return nome === null ? rows : [heading, ...rows]
  })
}
