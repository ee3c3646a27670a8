import type { Camera } from '@vigia/contracts/cameras'
import type { Client } from '../clients/client.ts'
import { type StandInEdge, startStandInEdge } from '../stand-ins/stand-in-edge.ts'
import { startAppWithBroker } from './app-with-broker.ts'
import type { Account, TestApp } from './test-app.ts'

/** A cloud and two Empresas, each with a simulated edge. */
export interface LiveStage {
  readonly app: TestApp
  readonly own: Account
  readonly other: Account
  readonly edge: StandInEdge
  /** The edge of `other`. */
  readonly foreign: StandInEdge
  /** Cameras of `edge`. A test reports the first two as online. */
  readonly cameras: readonly [number, number, number]
  readonly foreignCamera: number
  stop(): Promise<void>
}

export async function startLiveStage(): Promise<LiveStage> {
  const app = await startAppWithBroker()
  const own = await app.account('Própria')
  const other = await app.account('Outra')
  const edge = await startStandInEdge(own.admin, app.url)
  const foreign = await startStandInEdge(other.admin, app.url)
  const camera = (of: StandInEdge = edge) => newCamera(of === edge ? own.admin : other.admin, of.id)
  return {
    app,
    own,
    other,
    edge,
    foreign,
    cameras: [await camera(), await camera(), await camera()],
    foreignCamera: await camera(foreign),
    async stop() {
      await edge.stop()
      await foreign.stop()
      await app.stop()
    },
  }
}

async function newCamera(by: Client, edge_id: number): Promise<number> {
  const rtsp_url = 'rtsp://127.0.0.1:1/1'
  return (await by.expect<Camera>(201, 'POST', '/api/v1/cameras', { nome: 'Portão', rtsp_url, edge_id })).id
}
