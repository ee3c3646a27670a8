import { defineTrial, flag, type Result } from '@vigia/testing/trial'
import { z } from 'zod'

export default defineTrial({
  name: 'cluster',
  purpose: 'releases',
  summary:
    'Runs PostgreSQL, mosquitto, an S3 server, two replicas and nginx with the files of deploy/, and the ' +
    'demonstration on them. Passes if each alert arrives once while one replica after the other ends.',
  takes: '3 min',
  measures: ['deploy/mosquitto', 'deploy/nginx', 'apps/cloud/src/replicas', 'apps/all-in-one/src/demo.ts'],
  dashboard: true,
  options: z.object({
    /** Keeps everything running until Ctrl-C. All listen on 127.0.0.1. */
    manter: flag(),
  }),
  run: async (options, output): Promise<Result> => (await import('./carry-out.ts')).carryOut(options, output),
})
