import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Evento } from '@vigia/contracts/eventos'
import { createProgress } from '../../src/progress.ts'
import { labelFootage } from './label-footage.ts'
import { type RefutedEvento, runDemonstration } from './run-demonstration.ts'

/**
 * `npm run demo-verdicts -- [--minutes 30] [--pasta FOLDER]`: runs the cameras of the demonstration and counts the
 * refuted events whose boxes show a person that the labels of the footage call plain. The exit code is 1 for one or
 * more, and for a run without events. `--pasta` receives the frames of the refuted events.
 */
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, pasta: { type: 'string' } },
})
const minutes = Number(values.minutes)
if (!(minutes >= 1 && minutes <= 600)) {
  process.stderr.write('--minutes is a number from 1 to 600: npm run demo-verdicts -- --minutes 30\n')
  process.exit(2)
}

/** The cameras of the demonstration (apps/all-in-one, demo.ts): analysed stream, and stream with most detail. */
const CLIPS = [
  { analysed: 'campus-a-sub.mp4', labelled: 'campus-a-principal.mp4', lengthS: 26 },
  { analysed: 'campus-b-sub.mp4', labelled: 'campus-b-principal.mp4', lengthS: 22 },
  { analysed: 'campus-c-h265.mp4', labelled: 'campus-c-h265.mp4', lengthS: 12 },
] as const
const fileOf = (name: string) => fileURLToPath(new URL(`../../../dvr-simulator/footage/${name}`, import.meta.url))

const progress = createProgress()
const footage = []
for (const { analysed, labelled, lengthS } of CLIPS) {
  const frames = await labelFootage(fileOf(labelled), (atMs) =>
    progress.at(atMs / 1000 / lengthS, `labels of ${labelled}`),
  )
  footage.push({ file: fileOf(analysed), frames })
}
const { eventos, refuted } = await runDemonstration(footage, minutes * 60_000, (doneMs) =>
  progress.at(doneMs / (minutes * 60_000), 'demonstration'),
)
progress.clear()

const count = (decisao: 'confirmado' | 'refutado') =>
  eventos.filter(({ veredito }: Evento) => veredito?.decisao === decisao).length
const wrong = refuted.filter(({ showsPerson }) => showsPerson)
process.stdout.write(
  `${minutes} minutes, ${eventos.length} events: ${count('confirmado')} confirmed, ${refuted.length} refuted, ` +
    `${eventos.length - count('confirmado') - refuted.length} pending.\n` +
    `${wrong.length} refuted events plainly show a person.\n`,
)
for (const { evento } of wrong)
  process.stdout.write(`  evento ${evento.id} (${evento.tipo}, ${evento.camera_nome}): ${evento.veredito?.motivo}\n`)
if (values.pasta !== undefined) await writePictures(values.pasta, refuted)
process.exitCode = wrong.length === 0 && eventos.length > 0 ? 0 : 1

async function writePictures(folder: string, list: readonly RefutedEvento[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { evento, frame, showsPerson } of list)
    await writeFile(join(folder, `${showsPerson ? 'person' : 'other'}-${evento.tipo}-${evento.id}.jpg`), frame)
}
