import { Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { empresaSchema } from '@vigia/contracts/empresas'
import type { LimitesEmpresa } from '@vigia/contracts/limites'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'

const values = { acima: null, exigir: true, dispensar: false } as const
type Regra = keyof typeof values

/** Switch that requires a second factor of the logins of an Empresa. */
export function SecondFactorRule({ empresa: { empresa_id, nome } }: { readonly empresa: LimitesEmpresa }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { data } = useQuery(empresasQuery(api))
  const change = useMutation({
    mutationFn: (regra: Regra) =>
      api.send('PATCH', `/empresas/${empresa_id}`, { exigir_segundo_fator: values[regra] }, empresaSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['empresas'] })
      announce(t('empresas.segundoFator.anuncio', { nome }))
    },
  })
  const empresa = data?.find(({ id }) => id === empresa_id)
  if (!empresa) return null
  const regras = Object.keys(values) as Regra[]
  return (
    <Select
      label={t('empresas.segundoFator.rotulo')}
      aria-label={t('empresas.segundoFator.rotuloDe', { nome })}
      size="xs"
      allowDeselect={false}
      disabled={change.isPending}
      error={change.error?.message}
      data={regras.map((regra) => ({ value: regra, label: t(`empresas.segundoFator.${regra}`) }))}
      value={regras.find((regra) => values[regra] === empresa.exigir_segundo_fator) ?? 'acima'}
      onChange={(regra) => regra !== null && change.mutate(regra as Regra)}
    />
  )
}
