import { describe, expect, it } from 'vitest'
import { findHighest } from './highest.ts'

/** Searches with a system that carries at most `limit`; returns the result and the tried rates. */
async function search(limit: number, from = 100) {
  const tried: number[] = []
  const found = await findHighest({ from, least: 10, most: 1_000, precision: 0.1 }, async (rate) => {
    tried.push(rate)
    return rate <= limit
  })
  return { found, tried }
}

describe('findHighest', () => {
  it('doubles until a rate is not carried, then halves the interval', async () => {
    expect(await search(330)).toEqual({ found: 325, tried: [100, 200, 400, 300, 350, 325] })
  })

  it('halves until a rate is carried', async () => {
    expect(await search(30)).toEqual({ found: 29.6875, tried: [100, 50, 25, 37.5, 31.25, 28.125, 29.6875] })
  })

  it('returns the largest allowed rate, or 0 without a carried one', async () => {
    expect(await search(5_000)).toEqual({ found: 800, tried: [100, 200, 400, 800] })
    expect(await search(5)).toEqual({ found: 0, tried: [100, 50, 25, 12.5] })
  })
})
