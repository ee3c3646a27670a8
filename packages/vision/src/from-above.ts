import { type Box, intersection } from '@vigia/ias/geometry'
import { things } from './coco-labels.ts'
import type { Track } from './track-state.ts'

/** Minimum area of a vehicle, as a fraction of the picture. A smaller thing may be a bag on a belt, a bird, a leaf. */
const LEAST_AREA = 0.02
/** Minimum movement of a box edge for a driving or entering vehicle, as a fraction of the box's length. */
const DRIVEN = 0.5
/** Minimum fraction of a carried thing inside the box of a person. */
const CARRIED = 0.5

/** The labels to request from a detector: with `car` also the labels that it confuses with vehicles from above. */
export const withMistakenVehicles = (labels: readonly string[]): readonly string[] =>
  labels.includes('car') ? [...new Set([...labels, ...things])] : labels

/** Labels that a second network may give to this box if it is a vehicle seen from above. */
export const mistakenFor = ({ rotulo, w, h }: Box & { readonly rotulo: string }): readonly string[] =>
  rotulo === 'car' && w * h >= LEAST_AREA ? [...things] : []

/**
 * Networks trained on photographs recognize cars from the side. Seen from straight above, as over a gate, they label a
 * car as a mobile phone, remote control or surfboard. A thing of at least LEAST_AREA that moves through the picture of
 * a fixed camera is a vehicle and becomes `car`. Things that stand still or are carried are dropped.
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
