import { type Box, intersection } from '@vigia/ias/geometry'
import { things } from './coco-labels.ts'
import type { Track } from './track-state.ts'

/** Smaller than this fraction of the picture it may be anything: a bag on a belt, a bird, a leaf. */
const LEAST_AREA = 0.02
/** An edge of its box has moved by this much of the box's length: it has driven, or has come into the picture. */
const DRIVEN = 0.5
/** A thing that lies in a person's box by this much is carried. */
const CARRIED = 0.5

/** The labels to ask a detector for when vehicles are among those that are wanted: also what vehicles are mistaken for. */
export const withMistakenVehicles = (labels: readonly string[]): readonly string[] =>
  labels.includes('car') ? [...new Set([...labels, ...things])] : labels

/** What a second network may call this box when it is a vehicle seen from above. */
export const mistakenFor = ({ rotulo, w, h }: Box & { readonly rotulo: string }): readonly string[] =>
  rotulo === 'car' && w * h >= LEAST_AREA ? [...things] : []

/**
 * Networks trained on photographs taken at eye level know a car from its side; from straight above, as a camera over a gate shows it, they call it
 * a mobile phone, a remote control, a surfboard. In front of a camera that does not move no such thing drives through a fiftieth of the
 * picture by itself: it is a vehicle, `car`. Things that do not drive, or are carried, are left out.
 */
export function nameVehicles(tracks: readonly Track[]): Track[] {
  const people = tracks.filter(({ rotulo }) => rotulo === 'person')
  return tracks.flatMap((track) => {
    if (!things.has(track.rotulo)) return [track]
    const { box } = track
    const isCarried = people.some((person) => intersection(person.box, box) >= CARRIED * box.w * box.h)
    return box.w * box.h >= LEAST_AREA && hasDriven(track) && !isCarried ? [{ ...track, rotulo: 'car' }] : []
  })
}

function hasDriven({ trail, box }: Track): boolean {
  return trail.some((point) => moved(point.box, box))
}

const moved = (from: Box, to: Box): boolean =>
  Math.max(Math.abs(to.x - from.x), Math.abs(to.x + to.w - from.x - from.w)) >= DRIVEN * to.w ||
  Math.max(Math.abs(to.y - from.y), Math.abs(to.y + to.h - from.y - from.h)) >= DRIVEN * to.h
