import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { expect, it } from 'vitest'
import { createAudioTrack } from '../audio/audio-track.ts'
import { annexB } from '../codec-parameters.ts'
import { makeClip } from '../mp4/clip.ts'
import { nalType, startCodeFormat } from '../nal-units.ts'
import { pictures } from '../test-peer/footage.ts'
import { inspectMp4 } from '../test-peer/inspect-mp4.ts'
import { copyFile } from './copy-file.ts'

it('copies the pictures and the audio of a file in H.265', async () => {
  const track = createAudioTrack({ codec: 'pcma', sampleRate: 8_000 })
  const shown = pictures.h265.slice(0, 10)
  const audio = [...(track?.push(Buffer.alloc(8_000, 0x55), 0) ?? [])]
  const parameterSets = shown[0]?.nals.filter((nal) => nalType('h265', nal) >= 32 && nalType('h265', nal) <= 34) ?? []
  const { split } = startCodeFormat
  const parameters = { codec: 'h265', parameterSets, split, ...(track && { audio: track.config }) } as const
  const packets = shown.map(({ nals }, i) => ({ keyframe: i === 0, timeMs: i * 100, data: annexB(nals) }))
  const clip = makeClip([{ parameters, discontinuity: true, packets, audio }], { atMs: 0, toMs: 10_000 })
  track?.close()
  const path = join(temporaryFolder('vigia-copy-'), 'clip.mp4')
  await writeFile(path, clip?.data ?? '')
  const copy = await copyFile(path, new AbortController().signal)
  expect(copy).toMatchObject({ codec: 'h264', codecs: expect.stringMatching(/^avc1\..*,mp4a\.40\.2$/) })
  expect(copy?.durationMs).toBeCloseTo(1_000)
  expect(await inspectMp4(copy?.data ?? Buffer.alloc(0))).toMatchObject({ codec: 'h264', decoded: 10, messages: [] })
})
