import { rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { type Program, startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { type TreeWithoutVideo, treeWithoutVideo } from '@vigia/testing/tree-without-video'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findClipeOf } from '../../../../db/clipes.ts'
import { signIn } from '../../../../test/clients/client.ts'
import { type Backstage, openBackstage } from '../../../../test/clouds/backstage.ts'
import { seedCamera } from '../../../../test/records/records.ts'

/** The real program in a checkout without the binary of node-av. */

const H265 = new URL('../../../../../../dvr-simulator/footage/campus-c-h265.mp4', import.meta.url)
const SENHA = 'senha-de-teste-0k'

let folder: string
let tree: TreeWithoutVideo
let cloud: Program
let backstage: Backstage

beforeAll(async () => {
  folder = temporaryFolder('vigia-cloud-without-video-')
  tree = treeWithoutVideo(join(folder, 'tree'))
  const dataDir = join(folder, 'data')
  await ensureInstallationPki({ dir: dataDir, brokerHosts: [] })
  cloud = await startProgram({
    entry: tree.entry('apps/cloud/src/main.ts'),
    env: {
      PORT: '0',
      VIGIA_DATA_DIR: dataDir,
      VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
      VIGIA_ADMIN_USERNAME: 'admin',
      VIGIA_ADMIN_PASSWORD: SENHA,
    },
  })
  const url = `http://127.0.0.1:${cloud.porta}`
  backstage = await openBackstage({ url, dataDir, clock: { now: Date.now, advance: () => {} } })
})
afterAll(async () => {
  await backstage.close()
  await cloud.stop()
  rmSync(folder, { recursive: true })
})

it('says why a copy waits, makes no attempt, and makes it when the package arrives', async () => {
  const { db, url } = backstage
  const id = await backstage.event(await seedCamera(db))
  await backstage.clip(id, await readFile(H265))
  const clipeId = (await findClipeOf(db, id))?.clipe?.id ?? 0
  const h265 = { codec: 'h265', codecs: 'hvc1.1.6.L93.90' } as const
  await db.updateTable('clipes').set(h265).where('id', '=', clipeId).execute()
  const { token } = await signIn(url, 'admin', SENHA)
  const ask = () =>
    fetch(`${url}/api/v1/events/${id}/clip?formato=h264`, { headers: { authorization: `Bearer ${token}` } })
  const clipe = () => db.selectFrom('clipes').selectAll().where('id', '=', clipeId).executeTakeFirstOrThrow()

  for (let asked = 0; asked < 2; asked++) {
    const refused = await ask()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
    expect(await refused.json()).toMatchObject({
      detail: expect.stringMatching(/^Falta no servidor o pacote de vídeo \(node-av\).*Baixe o arquivo/),
    })
  }
  expect(cloud.output()).toContain('Falta no servidor o pacote de vídeo')
  const work = await db.selectFrom('trabalhos').select(['chave', 'tentativas', 'estado']).execute()
  expect(work.filter(({ chave }) => chave === String(clipeId))).toEqual([
    { chave: String(clipeId), tentativas: 0, estado: 'pronto' },
  ])

  tree.install()
  // Nobody asks again: the request from before is enough.
  await waitFor('the copy', async () => (await clipe()).copia_sha256 !== null)
  expect(await clipe()).toMatchObject({ copia_falha: null })
  expect((await ask()).status).toBe(200)
})
