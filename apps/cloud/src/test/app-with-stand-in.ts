import { startAppWithBroker } from './app-with-broker.ts'
import { type Backstage, openBackstage } from './backstage.ts'
import { seedOneCamera } from './records.ts'
import { type StandInEdge, startStandInEdge } from './stand-in-edge.ts'
import type { Account, TestApp } from './test-app.ts'

/** A cloud, a broker, and a stand-in for the edge of an Empresa with one camera. */
export interface AppWithStandIn {
  readonly app: TestApp
  readonly backstage: Backstage
  readonly account: Account
  readonly edge: StandInEdge
  readonly cameraId: number
  stop(): Promise<void>
}

export async function startAppWithStandIn(): Promise<AppWithStandIn> {
  const app = await startAppWithBroker()
  const backstage = await openBackstage(app)
  const account = await app.account('Loja')
  const edge = await startStandInEdge(account.admin, app.url)
  const cameraId = await seedOneCamera(backstage.db, account.empresaId, edge.id)
  return {
    ...{ app, backstage, account, edge, cameraId },
    async stop() {
      await edge.stop()
      await backstage.close()
      await app.stop()
    },
  }
}
