import type { Caixa } from '@vigia/contracts/eventos'
import type { QualidadePlaca } from '@vigia/contracts/registro-passagem'
import type { Box } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/frame'
import type { FrameTime } from '../model.ts'
import type { OpenPassages } from './open-passages.ts'
import type { SeenColour } from './paint-colour.ts'
import type { Passage, PlateEvidence } from './passage.ts'
import type { PlateReader } from './passage-model.ts'
import { qualityOf } from './plate-quality.ts'
import { boxOf, inside, pictured, within } from './plate-regions.ts'
import type { PlateFound } from './read-plates.ts'
import { colourOf } from './vehicle-colour.ts'
import type { VehicleDetection } from './vehicle-detection.ts'

interface Reading {
  readonly passage: Passage
  readonly vehicle: VehicleDetection
  readonly time: FrameTime
  /** Part of the frame that the picture of the vehicle shows. */
  readonly region: Box
  readonly colour?: SeenColour | null
}

/** A plate that was read, in fractions of the frame. */
interface PlateRead {
  readonly found: PlateFound
  readonly plate: Caixa
  readonly qualidade: QualidadePlaca
}

const SIDE_MIN = 320
export const SIDE_MAX = 960
const VEHICLE_JPEG = { maxWidth: 800, quality: 85 }
const PLATE_JPEG = { maxWidth: 400, quality: 90 }

/** Reads the plate and the colour of a vehicle, and adds them to its passage. */
export async function readVehicle(
  { passages, read, frame }: { passages: OpenPassages; read: PlateReader; frame: VideoFrame },
  passage: Passage,
  vehicle: VehicleDetection,
  time: FrameTime,
) {
  const region = pictured(vehicle.box, frame)
  const [width, height] = [Math.round(region.w * frame.width), Math.round(region.h * frame.height)]
  const picture = { width, height, data: await frame.toPacked('rgb', width, height, region) }
  const side = Math.min(SIDE_MAX, Math.max(SIDE_MIN, width, height))
  const all = await read(picture, side)
  // The picture may show the plate of a car behind, too.
  const found = all.find((one) => !passages.isOther(passage, one)) ?? all[0]
  const shown = found && passages.isOther(passage, found) ? passages.separate(passage, vehicle, time) : passage
  const plate = found && boxOf(found, picture)
  const inFrame = plate && { ...plate, ...within(region, plate) }
  const plateRead = found && inFrame ? { found, plate: inFrame, qualidade: qualityOf(picture, found.box, 1) } : null
  // The box of a motorcycle shows its rider.
  const isPainted = vehicle.rotulo !== 'motorcycle'
  const colour = isPainted ? colourOf(picture, inside(region, vehicle.box), plate ?? null) : null
  await addReading(frame, { passage: shown, vehicle, time, region, colour }, plateRead)
}

/** Adds a reading to a passage; `read`: null: no plate was found. */
export async function addReading(
  frame: VideoFrame,
  { passage, vehicle, time, region, colour = null }: Reading,
  read: PlateRead | null,
) {
  const evidence: PlateEvidence = {
    readings: read ? [read.found, ...read.found.candidates] : [],
    heightPx: read?.found.box.height ?? 0,
    epochMs: time.epochMs,
    vehicle,
    colour,
    qualidade: read?.qualidade ?? null,
    plate: read && { ...read.plate, ...inside(region, read.plate) },
    media: async () => [
      { papel: 'veiculo', bytes: await frame.toJpeg({ crop: region, ...VEHICLE_JPEG }) },
      ...(read ? [{ papel: 'placa' as const, bytes: await frame.toJpeg({ crop: read.plate, ...PLATE_JPEG }) }] : []),
    ],
  }
  await passage.read(evidence, time.streamMs)
}
