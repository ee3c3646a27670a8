import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askFfmpeg, askOwn, type Found } from './ask-clients.ts'

/**
 * `other address`: the same video by another address. `different`: another video. Both clients read the text in both
 * cases.
 */
type Verdict = 'equal' | 'own better' | 'FFmpeg better' | 'other address' | 'different' | 'both refuse'

export interface Compared {
  readonly file: string
  readonly own: Found
  readonly ffmpeg: Found
  readonly verdict: Verdict
  /** FFmpeg reads a video that the own client does not, and the own client names no cause. */
  readonly isDefect: boolean
}

/** Plays each `*.sdp` (body of an answer to DESCRIBE), `*.txt` and `*.rtsp` (whole answers) to both clients. */
export async function compareTexts(
  folder: string,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<Compared[]> {
  const files = (await readdir(folder)).filter((name) => /\.(sdp|txt|rtsp)$/.test(name)).sort()
  const compared: Compared[] = []
  for (const file of files) {
    onProgress(compared.length, files.length)
    const text = await readFile(join(folder, file), 'latin1')
    const isDialogue = !file.endsWith('.sdp')
    const [own, ffmpeg] = await Promise.all([askOwn(text, isDialogue), askFfmpeg(text, isDialogue)])
    const verdict = verdictOf(own, ffmpeg)
    const isDefect = verdict === 'different' || (verdict === 'FFmpeg better' && (own.ok || !own.isNamed))
    compared.push({ file, own, ffmpeg, verdict, isDefect })
  }
  return compared
}

/** Last part of the address: the bases of the clients may differ. */
const trackOf = ({ track }: Extract<Found, { ok: true }>) => track.split('/').at(-1)

function verdictOf(own: Found, ffmpeg: Found): Verdict {
  if (!own.ok || !ffmpeg.ok) return own.ok ? 'own better' : ffmpeg.ok ? 'FFmpeg better' : 'both refuse'
  if (own.codec !== ffmpeg.codec || trackOf(own) !== trackOf(ffmpeg)) return 'different'
  if (own.size === ffmpeg.size) return own.track === ffmpeg.track ? 'equal' : 'other address'
  if (own.size === null) return 'FFmpeg better'
  return ffmpeg.size === null ? 'own better' : 'different'
}
