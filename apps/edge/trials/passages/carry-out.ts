import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePlatesFootage } from '@vigia/analysis/testing/plates-footage'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { jpegSize } from '@vigia/link/jpeg-size'
import { startCloudStandIn } from '@vigia/testing/cloud-stand-in'
import { startProgram } from '@vigia/testing/program'
import { startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'

/** Longest time from the first sight of a plate to its first record at the cloud. */
const DECIDED_MS = 2_000

it('sends one passage for each car of a recorder’s stream, also for a car that waits or comes back', {
  timeout: 240_000,
}, async () => {
  const dir = temporaryFolder('vigia-footage-')
  const footage = join(dir, 'portao.mp4')
  const plates = await writePlatesFootage(footage)
  const [recorder, cloud] = await Promise.all([
    startRecorder({ canais: [`${footage},${footage}`] }),
    startCloudStandIn(),
  ])
  cloud.codes.add('codigo')
  const code = join(cloud.dir, 'codigo')
  await writeFile(code, 'codigo\n')
  const edge = await startProgram({
    entry: 'apps/edge/src/main.ts',
    env: { VIGIA_DATA_DIR: cloud.dir, VIGIA_CLOUD_URL: cloud.url, VIGIA_ATIVACAO_ARQUIVO: code },
  })
  try {
    await waitFor('the first report', () => cloud.reports.length > 0)
    const modo_b = { regiao: [], conf_placa: 0.6 }
    const linha = [
      [0.5, 0],
      [0.5, 1],
    ]
    await cloud.configure(1, [{ id: 1, rtsp_url: recorder.url(1), linha, modo_b }], ['passagem'])

    const records = () =>
      cloud.arrived.flatMap(({ registro, midias }) => (registro.tipo === 'passagem' ? [{ registro, midias }] : []))
    const delays = new Map<string, number>()
    const ended = () => {
      for (const { registro } of records())
        if (!delays.has(registro.passagem)) delays.set(registro.passagem, Date.now() - registro.inicio)
      return records().filter(({ registro }) => registro.fim !== null)
    }
    // The stream may begin in the middle of a car. Each car then comes in full, and the first one a second time.
    await waitFor('four passages', () => ended().length >= 4, { timeoutMs: 150_000, everyMs: 50 })

    const all = ended().map(({ registro }) => registro)
    expect(new Set(all.map(({ passagem }) => passagem)).size).toBe(all.length)
    const [, ...whole] = all
    for (const [at, one] of whole.entries()) {
      expect(plates).toContain(one.placa?.placa)
      expect(one.placa?.placa, 'the cars alternate').not.toBe(whole[at + 1]?.placa?.placa)
      expect(one).toMatchObject({ camera_id: 1, direcao: 'ba', midia_descartada: false })
    }
    for (const { passagem } of whole) expect(delays.get(passagem)).toBeLessThanOrEqual(DECIDED_MS)
    for (const { passagem } of whole) expectRevisions(records().filter((one) => one.registro.passagem === passagem))
    expect(edge.output()).not.toMatch(new RegExp(plates.join('|')))
  } finally {
    await edge.stop()
    await recorder.close()
    await cloud.close()
    await rm(dir, { recursive: true, force: true })
  }
})

/** Expects revisions in order, with pictures in the first one, and an end in the last one only. */
function expectRevisions(of: readonly { readonly registro: RegistroPassagem; readonly midias: readonly Buffer[] }[]) {
  expect(of.map(({ registro }) => registro.revisao)).toEqual(of.map((_, at) => at + 1))
  expect(of.slice(0, -1).map(({ registro }) => registro.fim)).toEqual(of.slice(1).map(() => null))
  const [first] = of
  expect(first?.registro.midias.map(({ papel }) => papel)).toEqual(['veiculo', 'placa'])
  expect(jpegSize(first?.midias[0] ?? Buffer.alloc(0))?.width).toBeLessThanOrEqual(800)
}
