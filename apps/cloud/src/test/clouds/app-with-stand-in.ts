import { fixture } from '@vigia/testing/fixture'
import { seedOneCamera } from '../records/records.ts'
import { startStandInEdge } from '../stand-ins/stand-in-edge.ts'
import { startAppWithBroker } from './app-with-broker.ts'
import { openBackstage } from './backstage.ts'

/** A cloud, a broker, and a stand-in for the edge of an Empresa with one camera. */
export function standInFixtures() {
  const app = fixture(startAppWithBroker)
  const backstage = fixture(() => openBackstage(app))
  const account = fixture(() => app.account('Loja'))
  const edge = fixture(() => startStandInEdge(account.admin, app.url))
  const camera = fixture(async () => {
    const { empresaId } = account
    return { empresaId, edgeId: edge.id, cameraId: await seedOneCamera(backstage.db, empresaId, edge.id) }
  })
  return { app, backstage, account, edge, camera }
}
