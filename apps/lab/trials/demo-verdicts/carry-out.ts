import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { labelFootage } from './label-footage.ts'
import { type RefutedEvento, runDemonstration } from './run-demonstration.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** The cameras of the demonstration (apps/all-in-one, demo.ts): analysed stream, and stream with most detail. */
const CLIPS = [
  { analysed: 'campus-a-sub.mp4', labelled: 'campus-a-principal.mp4', lengthS: 26 },
  { analysed: 'campus-b-sub.mp4', labelled: 'campus-b-principal.mp4', lengthS: 22 },
  { analysed: 'campus-c-h265.mp4', labelled: 'campus-c-h265.mp4', lengthS: 12 },
  { analysed: 'estacionamento.mp4', labelled: 'estacionamento.mp4', lengthS: 24 },
] as const
const fileOf = (name: string) => join(repositoryRoot, 'apps/dvr-simulator/footage', name)

/** Counts the refuted events whose boxes show a person that the labels of the footage call plain. */
export async function carryOut({ minutes, pasta }: Options, { print, progress }: TrialOutput): Promise<Result> {
  const footage = []
  for (const { analysed, labelled, lengthS } of CLIPS) {
    const frames = await labelFootage(fileOf(labelled), (atMs) =>
      progress(atMs / 1000 / lengthS, `labels of ${labelled}`),
    )
    footage.push({ file: fileOf(analysed), frames })
  }
  const { eventos, refuted } = await runDemonstration(footage, minutes * 60_000, (doneMs) =>
    progress(doneMs / (minutes * 60_000), 'demonstration'),
  )

  const confirmed = eventos.filter(({ veredito }) => veredito?.decisao === 'confirmado').length
  const wrong = refuted.filter(({ showsPerson }) => showsPerson)
  print(
    `${minutes} minutes, ${eventos.length} events: ${confirmed} confirmed, ${refuted.length} refuted, ` +
      `${eventos.length - confirmed - refuted.length} pending.`,
  )
  print(`${wrong.length} refuted events plainly show a person.`)
  if (pasta !== undefined) await writePictures(pasta, refuted)
  return {
    passed: wrong.length === 0 && eventos.length > 0,
    rows: wrong.map(({ evento: { id, tipo, camera_nome, veredito } }) => ({
      evento: id,
      tipo,
      camera: camera_nome,
      motivo: veredito?.motivo ?? null,
    })),
  }
}

async function writePictures(folder: string, list: readonly RefutedEvento[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { evento, frame, showsPerson } of list)
    await writeFile(join(folder, `${showsPerson ? 'person' : 'other'}-${evento.tipo}-${evento.id}.jpg`), frame)
}
