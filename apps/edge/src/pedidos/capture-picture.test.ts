import { fileURLToPath } from 'node:url'
import { createStreamReader } from '@vigia/video/stream-reader'
import pino from 'pino'
import { expect, it } from 'vitest'
import { createPictureTaker, type PictureTaker } from '../capture/picture-taker.ts'
import { createPictureHandler } from './capture-picture.ts'

/** Footage of the recorder simulator: 768x576. */
const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-principal.mp4', import.meta.url))

async function showOneFrame(taker: PictureTaker) {
  const stop = new AbortController()
  const onFrame = async (frame: Parameters<PictureTaker['frame']>[0]) => {
    await taker.frame(frame)
    stop.abort()
  }
  await createStreamReader({ url: footage, maxFps: 5 }).run({ onInfo: () => {}, onFrame }, stop.signal)
}

it('limits the size of a picture and returns a recent frame, or else the last full-size picture', async () => {
  let time = 0
  const taker = createPictureTaker({ cameraId: 1, log: pino({ level: 'silent' }), now: () => time })
  const capture = createPictureHandler({ isKnown: () => true, picture: (_id, request) => taker.take(request) })
  const ask = (prazoMs: number) => {
    const context = { id: 'x', signal: new AbortController().signal, prazoMs }
    return capture({ acao: 'capturar_quadro', camera_id: 1, lado_maximo: 384 }, context)
  }
  const coming = ask(60_000)
  await showOneFrame(taker)
  expect(await coming).toMatchObject({ ok: true, resultado: { largura: 384, altura: 288 } })
  expect(await ask(20)).toMatchObject({ ok: true, resultado: { largura: 384, altura: 288 } })
  time = 1_000
  expect(await ask(20)).toMatchObject({ ok: true, resultado: { largura: 768, altura: 576 } })
})
