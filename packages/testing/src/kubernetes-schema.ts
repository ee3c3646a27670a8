import { z } from 'zod'

/**
 * The parts of Kubernetes' API that `deploy/kubernetes` uses. Unknown fields are errors, because the API server ignores
 * a misspelled one.
 */
const labels = z.record(z.string().regex(/^[a-z0-9./-]+$/), z.string().max(63))
const name = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
const metadata = z.strictObject({ name, labels: labels.optional() })
const quantity = z.string().regex(/^\d+(m|Ki|Mi|Gi)?$/)
const port = z.union([z.int().min(1).max(65_535), name])
const selector = z.strictObject({ matchLabels: labels })

const probe = z
  .strictObject({
    httpGet: z.strictObject({ path: z.string().startsWith('/'), port }).optional(),
    tcpSocket: z.strictObject({ port }).optional(),
    periodSeconds: z.int().min(1).optional(),
    timeoutSeconds: z.int().min(1).optional(),
    failureThreshold: z.int().min(1).optional(),
  })
  .refine(({ httpGet, tcpSocket }) => (httpGet === undefined) !== (tcpSocket === undefined), 'one action')

const resources = z.strictObject({
  requests: z.strictObject({ cpu: quantity, memory: quantity }),
  limits: z.strictObject({ memory: quantity }),
})

const restricted = {
  pod: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int().min(10_000),
    runAsGroup: z.int().min(10_000),
    fsGroup: z.int().min(10_000),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  container: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
}

const container = z.strictObject({
  name,
  image: z.string().regex(/:(?!latest$)[\w.-]+$/, 'a tag that is not latest'),
  ports: z.array(z.strictObject({ name, containerPort: z.int() })),
  envFrom: z
    .array(
      z.union([
        z.strictObject({ configMapRef: z.strictObject({ name }) }),
        z.strictObject({ secretRef: z.strictObject({ name }) }),
      ]),
    )
    .optional(),
  env: z.array(
    z.union([
      z.strictObject({ name: z.string(), value: z.string() }),
      z.strictObject({
        name: z.string(),
        valueFrom: z.strictObject({ fieldRef: z.strictObject({ fieldPath: z.string() }) }),
      }),
    ]),
  ),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  resources,
  securityContext: restricted.container,
  volumeMounts: z.array(
    z.strictObject({ name, mountPath: z.string().startsWith('/'), readOnly: z.literal(true).optional() }),
  ),
})

const emptyDir = z.strictObject({ sizeLimit: quantity, medium: z.literal('Memory').optional() })
const secret = z.strictObject({
  secretName: name,
  optional: z.literal(true).optional(),
  defaultMode: z.literal(0o440),
})
const volume = z.union([
  z.strictObject({ name, emptyDir }),
  z.strictObject({ name, secret }),
  z.strictObject({ name, persistentVolumeClaim: z.strictObject({ claimName: name }) }),
])

const template = z.strictObject({
  metadata: z.strictObject({ labels, annotations: z.record(z.string(), z.string()).optional() }),
  spec: z.strictObject({
    serviceAccountName: name.optional(),
    automountServiceAccountToken: z.literal(false),
    enableServiceLinks: z.literal(false),
    terminationGracePeriodSeconds: z.int(),
    securityContext: restricted.pod,
    topologySpreadConstraints: z
      .array(
        z.strictObject({
          maxSkew: z.int(),
          topologyKey: z.string(),
          whenUnsatisfiable: z.enum(['ScheduleAnyway', 'DoNotSchedule']),
          labelSelector: selector,
        }),
      )
      .optional(),
    containers: z.array(container).min(1),
    volumes: z.array(volume),
  }),
})

const claim = z.strictObject({
  accessModes: z.tuple([z.enum(['ReadWriteOnce', 'ReadWriteMany'])]),
  resources: z.strictObject({ requests: z.strictObject({ storage: quantity }) }),
})

const rule = z.strictObject({
  from: z
    .array(z.union([z.strictObject({ podSelector: selector }), z.strictObject({ namespaceSelector: selector })]))
    .optional(),
  ports: z.array(z.strictObject({ port: z.int(), protocol: z.literal('TCP') })).min(1),
})

const scalingRules = z.strictObject({
  stabilizationWindowSeconds: z.int().max(3600),
  policies: z.array(z.strictObject({ type: z.literal('Pods'), value: z.int(), periodSeconds: z.int().max(1800) })),
})

const kind = <K extends string, V extends string>(apiVersion: V, name: K) => ({
  apiVersion: z.literal(apiVersion),
  kind: z.literal(name),
  metadata,
})

export const resourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...kind('v1', 'ServiceAccount'), automountServiceAccountToken: z.literal(false) }),
  z.strictObject({
    ...kind('apps/v1', 'Deployment'),
    // No `replicas`: each application of the file would undo the work of the HorizontalPodAutoscaler.
    spec: z.strictObject({
      minReadySeconds: z.int(),
      strategy: z.strictObject({
        type: z.literal('RollingUpdate'),
        rollingUpdate: z.strictObject({ maxUnavailable: z.literal(0), maxSurge: z.int().min(1) }),
      }),
      selector,
      template,
    }),
  }),
  z.strictObject({
    ...kind('apps/v1', 'StatefulSet'),
    spec: z.strictObject({
      replicas: z.literal(1),
      serviceName: name,
      selector,
      template,
      volumeClaimTemplates: z.array(z.strictObject({ metadata, spec: claim })),
    }),
  }),
  z.strictObject({ ...kind('v1', 'PersistentVolumeClaim'), spec: claim }),
  z.strictObject({
    ...kind('v1', 'Service'),
    spec: z.strictObject({
      type: z.enum(['ClusterIP', 'LoadBalancer']).optional(),
      externalTrafficPolicy: z.literal('Local').optional(),
      selector: labels,
      ports: z.array(z.strictObject({ name, port: z.int(), targetPort: name })).min(1),
    }),
  }),
  z.strictObject({
    ...kind('policy/v1', 'PodDisruptionBudget'),
    spec: z.strictObject({ minAvailable: z.int().min(1), selector }),
  }),
  z.strictObject({
    ...kind('autoscaling/v2', 'HorizontalPodAutoscaler'),
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({ apiVersion: z.literal('apps/v1'), kind: z.literal('Deployment'), name }),
      minReplicas: z.int().min(2),
      maxReplicas: z.int(),
      metrics: z.array(
        z.strictObject({
          type: z.literal('Resource'),
          resource: z.strictObject({
            name: z.literal('cpu'),
            target: z.strictObject({ type: z.literal('Utilization'), averageUtilization: z.int().min(1).max(100) }),
          }),
        }),
      ),
      behavior: z.strictObject({ scaleDown: scalingRules, scaleUp: scalingRules }),
    }),
  }),
  z.strictObject({
    ...kind('networking.k8s.io/v1', 'NetworkPolicy'),
    spec: z.strictObject({
      podSelector: selector,
      policyTypes: z.tuple([z.literal('Ingress')]),
      ingress: z.array(rule).min(1),
    }),
  }),
  z.strictObject({
    ...kind('networking.k8s.io/v1', 'Ingress'),
    spec: z.strictObject({
      ingressClassName: name.optional(),
      tls: z.array(z.strictObject({ hosts: z.array(z.string()).min(1), secretName: name })).min(1),
      rules: z.array(
        z.strictObject({
          host: z.string(),
          http: z.strictObject({
            paths: z.array(
              z.strictObject({
                path: z.literal('/'),
                pathType: z.literal('Prefix'),
                backend: z.strictObject({
                  service: z.strictObject({ name, port: z.strictObject({ name }) }),
                }),
              }),
            ),
          }),
        }),
      ),
    }),
  }),
])
export type Resource = z.infer<typeof resourceSchema>

export const kustomizationSchema = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: name.optional(),
  labels: z.array(z.strictObject({ pairs: labels })).optional(),
  resources: z.array(z.string()),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })).optional(),
  configMapGenerator: z
    .array(
      z.strictObject({
        name,
        behavior: z.literal('merge').optional(),
        literals: z.array(z.string().regex(/^[A-Z0-9_]+=./)),
      }),
    )
    .optional(),
  patches: z.array(z.strictObject({ path: z.string() })).optional(),
})
export type Kustomization = z.infer<typeof kustomizationSchema>
