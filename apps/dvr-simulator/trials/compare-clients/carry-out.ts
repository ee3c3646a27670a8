import { fileURLToPath } from 'node:url'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import type { Found } from './ask-clients.ts'
import { compareTexts } from './compare-texts.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Texts of this repository. */
export const OWN_TEXTS = fileURLToPath(new URL('texts', import.meta.url))

export async function carryOut({ folder }: Options, { print, progress }: TrialOutput): Promise<Result> {
  const compared = await compareTexts(folder ?? OWN_TEXTS, (done, all) => progress(done / all, `${done} of ${all}`))
  const count = (test: (one: (typeof compared)[number]) => boolean) => compared.filter(test).length
  const only = (own: boolean, ffmpeg: boolean) => count((one) => one.own.ok === own && one.ffmpeg.ok === ffmpeg)
  const figures = {
    files: compared.length,
    equal: count(({ verdict }) => verdict === 'equal'),
    'other address': count(({ verdict }) => verdict === 'other address'),
    'own more': count(({ verdict, ffmpeg }) => verdict === 'own better' && ffmpeg.ok),
    'own only': only(true, false),
    'FFmpeg only': only(false, true),
    'both refuse': only(false, false),
    defects: count(({ isDefect }) => isDefect),
  }
  print(
    Object.entries(figures)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  )
  return {
    passed: compared.length > 0 && figures.defects === 0,
    rows: compared.map(({ file, own, ffmpeg, verdict, isDefect }) => ({
      file,
      own: textOf(own),
      FFmpeg: textOf(ffmpeg),
      verdict: isDefect ? `${verdict}: DEFECT` : verdict,
    })),
    figures,
  }
}

const textOf = (found: Found): string =>
  found.ok ? `${found.codec} ${found.size ?? ''} ${found.track}` : found.sentence
