import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePlatesFootage } from '@vigia/analysis/testing/plates-footage'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { jpegSize } from '@vigia/link/jpeg-size'
import { below, type Check, holds, resultOf } from '@vigia/testing/checks'
import { type CloudStandIn, startCloudStandIn } from '@vigia/testing/cloud-stand-in'
import { startProgram } from '@vigia/testing/program'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { waitFor } from '@vigia/testing/wait'

/** Longest time from the first detection of a plate to its first record at the cloud. */
const DECIDED_MS = 2_000
const PASSAGES = 4

interface Arrived {
  readonly registro: RegistroPassagem
  readonly midias: readonly Buffer[]
}

/** Plays cars to an edge, one of which waits and comes back. */
export async function carryOut({ progress }: TrialOutput): Promise<Result> {
  const dir = temporaryFolder('vigia-footage-')
  const footage = join(dir, 'portao.mp4')
  progress(0, 'writes the footage')
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
    const rows = await watchPassages(cloud, recorder, plates, (count) =>
      progress(count / PASSAGES, `${count} passages`),
    )
    const isSecret = !new RegExp(plates.join('|')).test(edge.output())
    return resultOf([...rows, holds('no plate in the log of the edge', isSecret)])
  } finally {
    await edge.stop()
    await recorder.close()
    await cloud.close()
    await rm(dir, { recursive: true, force: true })
  }
}

async function watchPassages(
  cloud: CloudStandIn,
  recorder: RecorderProcess,
  plates: readonly string[],
  onPassages: (count: number) => void,
): Promise<Check[]> {
  await waitFor('the first report', () => cloud.reports.length > 0)
  const linha = [
    [0.5, 0],
    [0.5, 1],
  ]
  const camera = { id: 1, rtsp_url: recorder.url(1), linha, modo_b: { regiao: [], conf_placa: 0.6 } }
  await cloud.configure(1, [camera], ['passagem'])
  const records = (): Arrived[] =>
    cloud.arrived.flatMap(({ registro, midias }) => (registro.tipo === 'passagem' ? [{ registro, midias }] : []))
  const delays = new Map<string, number>()
  const ended = () => {
    for (const { registro } of records())
      if (!delays.has(registro.passagem)) delays.set(registro.passagem, Date.now() - registro.inicio)
    const all = records().filter(({ registro }) => registro.fim !== null)
    onPassages(all.length)
    return all.map(({ registro }) => registro)
  }
  // The stream may begin in the middle of a car. Each car then comes in full, and the first one a second time.
  await waitFor('four passages', () => ended().length >= PASSAGES, { timeoutMs: 150_000, everyMs: 50 })
  const all = ended()
  const [, ...whole] = all
  const read = whole.map(({ placa }) => placa?.placa)
  const isWhole = ({ camera_id, direcao, midia_descartada }: RegistroPassagem) =>
    camera_id === 1 && direcao === 'ba' && midia_descartada === false
  const revisions = (one: RegistroPassagem) => records().filter(({ registro }) => registro.passagem === one.passagem)
  return [
    holds('each passage ends once', new Set(all.map(({ passagem }) => passagem)).size === all.length),
    holds(
      'every plate is read',
      read.every((placa) => plates.includes(placa ?? '')),
      `${read}`,
    ),
    holds(
      'the cars alternate',
      read.every((placa, at) => placa !== read[at + 1]),
    ),
    holds('camera, direction and pictures', whole.every(isWhole)),
    holds(
      'revisions in order',
      whole.every((one) => areInOrder(revisions(one))),
    ),
    holds(
      'pictures in the first revision',
      whole.every((one) => hasPictures(revisions(one)[0])),
    ),
    ...whole.map(({ passagem }, at) =>
      below(`first record of passage ${at + 2}`, delays.get(passagem) ?? Number.NaN, DECIDED_MS + 1, 'ms'),
    ),
  ]
}

/** Numbers from 1, and an end in the last one only. */
const areInOrder = (of: readonly Arrived[]): boolean =>
  of.every(({ registro }, at) => registro.revisao === at + 1 && (registro.fim !== null) === (at === of.length - 1))

function hasPictures(first: Arrived | undefined): boolean {
  const papeis = first?.registro.midias.map(({ papel }) => papel)
  const width = jpegSize(first?.midias[0] ?? Buffer.alloc(0))?.width ?? Number.POSITIVE_INFINITY
  return papeis?.join() === 'veiculo,placa' && width <= 800
}
