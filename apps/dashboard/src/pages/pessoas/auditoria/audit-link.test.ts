import { objetosAuditoria } from '@vigia/contracts/auditoria'
import { describe, expect, it } from 'vitest'
import cameraRoutes from '../../../app/camera-routes.ts?raw'
import router from '../../../app/router.tsx?raw'
import siteRoutes from '../../../app/site-routes.ts?raw'
import { fixtureRegistro } from '../../../test/registro-fixture.ts'
import { auditLink } from './audit-link.ts'

describe('the link of a record', () => {
  it('is the page of the object', () => {
    expect(auditLink(fixtureRegistro({ objeto: 'camera', objeto_id: 7 }))).toBe('/cameras/7')
    expect(auditLink(fixtureRegistro({ objeto: 'usuario', objeto_id: 7 }))).toBe('/pessoas')
  })

  it('is missing for a removed object and for one without an id', () => {
    expect(auditLink(fixtureRegistro({ acao: 'remover', objeto: 'camera' }))).toBeNull()
    expect(auditLink(fixtureRegistro({ objeto: 'camera', objeto_id: null }))).toBeNull()
  })

  it('is an address of the router for each object', () => {
    for (const objeto of objetosAuditoria) {
      const link = auditLink(fixtureRegistro({ objeto, objeto_id: 7 }))
      if (link !== null) expect(router + cameraRoutes + siteRoutes).toContain(`'${link.replace('7', '$id')}'`)
    }
  })
})
