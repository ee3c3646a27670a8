import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Table } from '@vigia/testing/table'
import { parseLabels } from '../labels.ts'
import type { FollowedFrame } from './follow-video.ts'

/** Six people, one after the other: each visible track belongs to the person of that time. */
export const singlePeopleClip = 'cctv/one-by-one-person-detection.mp4'

/** Detections from which a track counts. */
const DETECTIONS = 3

/** Counts the tracks of each person, and those that pass from one person to the next. */
export async function scoreSinglePeople(clip: string, frames: readonly FollowedFrame[]): Promise<Table> {
  const labels = parseLabels(await readFile(join(dirname(clip), 'events.csv'), 'utf8'))
  const people = labels.filter(({ video, event }) => video === basename(clip) && event === 'person_present')
  const each = people.map(({ startS, endS }) => {
    const detections = new Map<number, number>()
    let seen = 0
    const own = frames.filter(({ streamMs }) => streamMs >= startS * 1000 && streamMs <= endS * 1000)
    for (const { tracks } of own) {
      const visible = tracks.filter(({ rotulo, predicted }) => rotulo === 'person' && !predicted)
      for (const { id } of visible) detections.set(id, (detections.get(id) ?? 0) + 1)
      if (visible.length > 0) seen++
    }
    const tracks = [...detections].filter(([, count]) => count >= DETECTIONS).map(([id]) => id)
    return { tracks, seen: own.length === 0 ? 0 : seen / own.length }
  })
  const all = each.flatMap(({ tracks }) => tracks)
  const passed = all.length - new Set(all).size
  const seen = each.reduce((sum, one) => sum + one.seen, 0) / Math.max(1, each.length)
  return {
    titulo: 'Pessoas uma a uma',
    nota: `${basename(clip)}: nunca duas ao mesmo tempo.`,
    colunas: ['pessoas', 'trilhas', 'trilhas que passam à pessoa seguinte', 'quadros com trilha vista %'],
    linhas: [[String(people.length), String(new Set(all).size), String(passed), (100 * seen).toFixed(1)]],
  }
}
