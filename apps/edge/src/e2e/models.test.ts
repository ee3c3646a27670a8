import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ownModel } from '@vigia/analysis/testing/own-models'
import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import { jpegSize } from '@vigia/link/jpeg-size'
import { startCloudStandIn } from '@vigia/testing/cloud-stand-in'
import { startProgram } from '@vigia/testing/program'
import { startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'

/** Tests models of an installer, one of them damaged, on a deployed edge. */

const analise = (ia: NomeIa) => ({ ia, calibracao: { ...calibracaoPadrao[ia], resfriamento_s: 0 }, agenda: null })

it('uses the installer’s model and reports the IAs that lack a model, while the others run', {
  timeout: 180_000,
}, async () => {
  const folder = await ownModel('objetos', {})
  const objetos = await readFile(join(folder, 'objetos.json'), 'utf8')
  const fogo = {
    ...JSON.parse(objetos),
    id: 'fogo-perdido',
    tarefa: 'fogo',
    nomes: { person: 'fire' },
    arquivo: 'perdido.onnx',
  }
  await writeFile(join(folder, 'fogo.json'), JSON.stringify(fogo))
  const [recorder, cloud] = await Promise.all([startRecorder(), startCloudStandIn()])
  cloud.codes.add('codigo')
  const code = join(cloud.dir, 'codigo')
  await writeFile(code, 'codigo\n')
  const edge = await startProgram({
    entry: 'apps/edge/src/main.ts',
    env: {
      VIGIA_DATA_DIR: cloud.dir,
      VIGIA_CLOUD_URL: cloud.url,
      VIGIA_ATIVACAO_ARQUIVO: code,
      VIGIA_MODELOS: folder,
    },
  })
  try {
    await waitFor('the first report', () => cloud.reports.length > 0)
    const [rtsp_url, sub_rtsp_url] = [recorder.url(1, 'principal'), recorder.url(1, 'sub')]
    const ias = (['fogo', 'fumaca', 'invasao', 'placa'] as const).map(analise)
    await cloud.configure(1, [
      { id: 1, rtsp_url, sub_rtsp_url, analises: ias },
      { id: 2, rtsp_url, analises: [analise('invasao')] },
    ])
    const reported = (id: number) => cloud.reports.at(-1)?.cameras.find((camera) => camera.id === id)
    await waitFor('that it is said', () => reported(1)?.ias_indisponiveis.includes('fogo'))
    expect(reported(1)).toMatchObject({ ias_indisponiveis: ['fogo', 'fumaca'], ias_sem_suporte: ['placa'] })
    expect(reported(2)).toMatchObject({ ias_indisponiveis: [], ias_sem_suporte: [] })

    const event = await waitFor(
      'an event of the IA that runs',
      () => cloud.arrived.flatMap(({ registro }) => (registro.tipo === 'candidato' ? [registro] : []))[0],
    )
    expect(event).toMatchObject({ ia: 'invasao', modelo: 'objetos-proprio' })
    const pictures = () =>
      cloud.extras.flatMap(({ extra, imagem }) => (extra.tipo === 'evidencia' ? [{ extra, imagem }] : []))
    const extra = await waitFor('a further picture that shows the person again', () =>
      pictures().find((one) => one.extra.redetectada),
    )
    expect(extra.extra).toMatchObject({ caixas: [{ rotulo: 'person' }] })
    const known = cloud.arrived.map(({ registro }) => registro.id)
    expect(known).toContain(extra.extra.evento)
    expect(jpegSize(extra.imagem)?.width).toBeLessThanOrEqual(300)
    const principal = await waitFor('a picture of the main stream', () =>
      pictures().find((one) => one.extra.fonte === 'principal'),
    )
    expect(jpegSize(principal.imagem)?.width).toBeLessThanOrEqual(480)
    const lines = edge
      .output()
      .split('\n')
      .filter((line) => line.includes('"tarefa":"fogo"'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 50, tarefa: 'fogo', modelo: 'fogo-perdido' })
  } finally {
    await edge.stop()
    await recorder.close()
    await cloud.close()
    await rm(folder, { recursive: true, force: true })
  }
})

it('does not start with a folder of models that does not exist', async () => {
  const start = startProgram({
    entry: 'apps/edge/src/main.ts',
    env: { VIGIA_MODELOS: '/nao/existe' },
  })
  await expect(start).rejects.toThrow('VIGIA_MODELOS deve ser o caminho completo de uma pasta que existe.')
})
