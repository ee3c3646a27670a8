import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writePlatesFootage } from '@vigia/analysis/testing/plates-footage'
import type { Api } from '@vigia/testing/api'
import { startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { createAccount } from './accounts.ts'
import { HOSTILE } from './hostile.ts'
import type { Account } from './journey.ts'

/** Creates an Empresa whose camera has read the plate of a vehicle that entered. Its recorder then ends. */
export async function passThrough(operator: Api): Promise<Account> {
  const dir = temporaryFolder('vigia-plates-')
  const footage = join(dir, 'gate.mp4')
  await writePlatesFootage(footage)
  const recorder = await startRecorder({ canais: [`${footage},${footage}`] })
  try {
    const account = await createAccount(operator)
    const { api } = account.admin
    const camera = { nome: `Portão ${HOSTILE}`, rtsp_url: recorder.url(1), eventos_habilitados: [] }
    const { id } = await api.call<{ id: number }>('POST', '/cameras', camera)
    const modo_b_config = { ativo: true, papel: 'entrada', local: `Garagem ${HOSTILE}`.slice(0, 80) }
    await api.call('PATCH', `/cameras/${id}`, { modo_b_config })
    await waitFor(
      'a plate',
      async () => (await api.get<{ placa: string | null }[]>('/passagens')).some(({ placa }) => placa !== null),
      { timeoutMs: 120_000, everyMs: 500 },
    )
    await api.call('PATCH', `/cameras/${id}`, { ativa: false })
    return account
  } finally {
    await recorder.close()
    await rm(dir, { recursive: true, force: true })
  }
}
