import type { Migration } from 'kysely/migration'

/** Adds the port of RTSP of an ONVIF device whose router maps it. */
export const portaRtsp: Migration = {
  async up(db) {
    await db.schema.alterTable('gravadores').addColumn('porta_rtsp', 'integer').execute()
  },
}
