import type { Ativado, Edge } from '@vigia/contracts/edges'
import { createCsr } from '@vigia/link/pki/csr'
import { createSealKeyPair } from '@vigia/link/sealed'
import type { TlsIdentity } from '@vigia/link/session'
import type { Client } from './client.ts'

/** An edge that exists and was activated, with what a box keeps of that. */
export interface ActivatedEdge {
  readonly id: number
  readonly identity: TlsIdentity
  /** What the cloud tells edges to connect to. */
  readonly mqttUrl: string
  /** Opens what the cloud seals to this edge. */
  readonly sealKey: Awaited<ReturnType<typeof createSealKeyPair>>['privateJwk']
}

/** Created over the API as `by`, and activated as a box does it. */
export async function activateEdge(by: Client, url: string, nome = 'Caixa'): Promise<ActivatedEdge> {
  const { id, codigo } = await by.expect<Edge & { codigo: string }>(201, 'POST', '/api/v1/edges', { nome })
  const [{ csrPem, privateKeyPem }, { publicJwk, privateJwk }] = await Promise.all([createCsr(), createSealKeyPair()])
  const activated = await fetch(`${url}/api/v1/edges/ativar`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ codigo, csr: csrPem, chave_cifra: publicJwk }),
  })
  if (activated.status !== 200) throw new Error(`activation: ${activated.status}`)
  const { certificado, ca, mqtt } = (await activated.json()) as Ativado
  return { id, identity: { ca, cert: certificado, key: privateKeyPem }, mqttUrl: mqtt.url, sealKey: privateJwk }
}
