import { describe, expect, it } from 'vitest'
import { chosenOf, pageOf, sizeFor } from './pages.ts'

const cameras = Array.from({ length: 10 }, (_, at) => ({ id: at + 1 }))

describe('the mosaic', () => {
  it('begins with the smallest layout that shows all cameras', () => {
    expect([0, 1, 2, 4, 5, 10, 16, 40].map(sizeFor)).toEqual([1, 1, 4, 4, 9, 16, 16, 16])
  })

  it('shows the cameras of a layout in its order, without those that left the scope', () => {
    expect(chosenOf(cameras, { cameras: [7, 99, 2] })).toEqual([{ id: 7 }, { id: 2 }])
    expect(chosenOf(cameras, { cameras: [] })).toBe(cameras)
  })

  it('turns pages from the last one to the first, and back', () => {
    const ids = (page: number) => pageOf(cameras, 4, page).shown.map(({ id }) => id)
    expect(ids(1)).toEqual([1, 2, 3, 4])
    expect(ids(3)).toEqual([9, 10])
    expect([pageOf(cameras, 4, 4).page, pageOf(cameras, 4, 0).page]).toEqual([1, 3])
    expect(pageOf([], 4, 2)).toEqual({ shown: [], pages: 1, page: 1 })
  })
})
