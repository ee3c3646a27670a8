import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { releaseNames, unpackData } from '@vigia/testing/release-folder'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, expect, it } from 'vitest'

let installation: Installation | undefined
afterEach(() => installation?.close())

interface Edge {
  readonly id: number
  readonly nome: string
  readonly status: string
  readonly fila: number | null
}

it.each(releaseNames())(
  'an installation of release %s continues: its edge connects and delivers its backlog',
  async (release) => {
    installation = await startInstallation(
      {},
      {
        prepareData: async (dataDir, { mqttPort }) => {
          await unpackData(release, dataDir)
          // The edge stores the address of its broker, which differs in each run.
          const file = join(dataDir, 'edge/identidade/identidade.json')
          const identity = await readFile(file, 'utf8')
          await writeFile(file, identity.replace(/mqtts:\/\/127\.0\.0\.1:\d+/, `mqtts://127.0.0.1:${mqttPort}`))
        },
        operator: { username: 'admin', password: 'senha-do-operador' },
      },
    )
    const api = await installation.signIn()
    const [camera] = (await api.get<{ id: number; nome: string }[]>('/cameras')).filter(({ nome }) => nome === 'Pátio')
    const events = () => api.get<{ id: number; rotulos: string[] }[]>(`/events?camera_id=${camera?.id}`)
    await waitFor('the five events that waited on the edge', async () => (await events()).length === 8)
    expect((await events()).map(({ rotulos }) => rotulos[0])).toEqual(['k8', 'k7', 'k6', 'k5', 'k4', 'k3', 'k2', 'k1'])
    await waitFor('the edge to report an empty queue', async () => {
      const edges = await api.get<Edge[]>('/edges')
      return edges.some(({ status, fila }) => status === 'online' && fila === 0)
    })
  },
)
