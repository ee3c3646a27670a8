import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../../api/queries.ts'
import { useServices } from '../../session/services.ts'
import classes from './header.module.css'

/**
 * Narrows the whole page to one Empresa, for logins with several Empresas in scope. The URL holds the choice, so that
 * it can be bookmarked.
 */
export function EmpresaSelect() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const navigate = useNavigate()
  const several = me.papel === 'administrador' && (me.empresas === null || me.empresas.length > 1)
  const { data = [] } = useQuery({ ...empresasQuery(api), enabled: several })
  if (!several || data.length < 2) return null
  return (
    <NativeSelect
      className={classes.empresa}
      aria-label={t('painel.empresa')}
      value={empresa ?? ''}
      onChange={(event) => {
        const chosen = Number(event.currentTarget.value)
        // The camera filter and an open alert belong to the previous Empresa.
        void navigate({ to: '.', search: chosen > 0 ? { empresa: chosen } : { empresa: undefined } })
      }}
      data={[
        { value: '', label: t('painel.todasEmpresas') },
        ...data.map(({ id, nome }) => ({ value: String(id), label: nome })),
      ]}
    />
  )
}
