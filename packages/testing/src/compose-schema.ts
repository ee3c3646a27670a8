import { z } from 'zod'

/** The parts of the Compose Specification that `deploy/compose` uses. Unknown fields are errors. */
const seconds = z.string().regex(/^\d+s$/)
const service = z
  .strictObject({
    build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
    image: z.string().regex(/^[a-z0-9./-]+:(?!latest$)[\w.-]+$/, 'a tag that is not latest'),
    command: z.array(z.string()).optional(),
    entrypoint: z.array(z.string()).optional(),
    environment: z.record(z.string(), z.string()).optional(),
    read_only: z.literal(true).optional(),
    cap_drop: z.array(z.string()).optional(),
    security_opt: z.array(z.string()).optional(),
    restart: z.enum(['no', 'unless-stopped']),
    stop_grace_period: seconds.optional(),
    tmpfs: z.array(z.string()).optional(),
    depends_on: z
      .record(
        z.string(),
        z.strictObject({ condition: z.enum(['service_healthy', 'service_started', 'service_completed_successfully']) }),
      )
      .optional(),
    networks: z.array(z.string()).optional(),
    network_mode: z.literal('none').optional(),
    ports: z.array(z.string()).optional(),
    volumes: z.array(z.string()).optional(),
    ulimits: z.strictObject({ nofile: z.int() }).optional(),
    healthcheck: z
      .strictObject({
        test: z.array(z.string()),
        interval: seconds,
        timeout: seconds,
        start_period: seconds.optional(),
      })
      .optional(),
  })
  .refine(
    ({ networks, network_mode }) => (networks === undefined) !== (network_mode === undefined),
    'one network setting',
  )

export const composeSchema = z.strictObject({
  name: z.string(),
  'x-central': z.unknown(),
  'x-central-environment': z.unknown(),
  services: z.record(z.string(), service),
  networks: z.record(
    z.string(),
    z.strictObject({
      internal: z.literal(true).optional(),
      ipam: z.strictObject({ config: z.array(z.strictObject({ subnet: z.string() })) }).optional(),
    }),
  ),
  volumes: z.record(z.string(), z.strictObject({})),
})
