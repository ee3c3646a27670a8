import { startProgram } from '@vigia/testing/program'
import { expect, it } from 'vitest'
import { openTempDatabase } from '../../../test/records/queue-records.ts'
import { seedActivatedEdge, seedCamera } from '../../../test/records/records.ts'
import { expectIncidentesRight } from '../../../test/stores/incidentes-store.ts'

const EVENTS = 40

it('keeps every incidente equal to its events with two processes that store events and verdicts', async () => {
  const temp = await openTempDatabase()
  try {
    const { db, file, dir } = temp
    const { empresaId, edgeId, cameraId } = await seedCamera(db)
    // The camera moved: both edges send events of it.
    const other = await seedActivatedEdge(db, empresaId)
    const entry = new URL('../../../test/programs/incidentes-program.ts', import.meta.url).href
    const start = (edge: number) =>
      startProgram({ entry, args: [file, dir, String(edge), String(cameraId), String(EVENTS)] })
    const programs = await Promise.all([start(edgeId), start(other)])
    await db.updateTable('empresas').set({ nome: 'vai' }).execute()
    for (const { exited } of programs) expect(await exited).toMatchObject({ code: 0 })

    await expectIncidentesRight(db)
    const events = await db.selectFrom('eventos').select(['trilha', 'incidente_id', 'veredito_decisao']).execute()
    expect(events).toHaveLength(2 * EVENTS)
    expect(events.filter(({ veredito_decisao }) => veredito_decisao !== null).length).toBeGreaterThan(EVENTS)
    const tracked = events.filter(({ trilha }) => trilha === 'a-1').map(({ incidente_id }) => incidente_id)
    expect([tracked.length, new Set(tracked).size]).toEqual([(EVENTS / 5) * 2, 1])
  } finally {
    await temp.close()
  }
})
