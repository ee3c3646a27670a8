import { ActionIcon } from '@mantine/core'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../../api/queries.ts'
import { useServices } from '../../session/services.ts'
import { compareNames } from '../../texts/locale.ts'
import { NameSearch } from '../../ui/name-search.tsx'
import { orderEmpresas, rememberChoice, rememberedEmpresas, toggleFavourite } from './empresa-order.ts'
import classes from './header.module.css'

/**
 * Narrows the whole page to one Empresa, for logins with several Empresas in reach. The URL holds the choice, so that
 * it can be bookmarked. The browser remembers the favourites and the last choices of each login.
 */
export function EmpresaChooser() {
  const { t } = useTranslation()
  const { api, settings } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const navigate = useNavigate()
  const several = me.empresas === null || me.empresas.length > 1
  const { data = [] } = useQuery({ ...empresasQuery(api), enabled: several })
  const [remembered, setRemembered] = useState(() => rememberedEmpresas(settings, me.id))
  if (!several || data.length < 2) return null
  const options = orderEmpresas(data, remembered, (a, b) => compareNames(a.nome, b.nome)).map(
    ({ id, nome, marca }) => ({
      id,
      nome,
      onde: marca && t(`painel.escolha.${marca}`),
    }),
  )
  const chosen = options.find(({ id }) => id === empresa)
  const isFavourite = empresa !== undefined && remembered.favoritas.includes(empresa)
  const update = (change: () => void) => {
    change()
    setRemembered(rememberedEmpresas(settings, me.id))
  }
  return (
    <div className={classes.empresa}>
      <NameSearch
        hideLabel
        label={t('painel.empresa')}
        all={t('painel.todasEmpresas')}
        options={options}
        value={empresa}
        missing={t('comum.alcance.outra')}
        onChoose={(id) => {
          if (id !== undefined) update(() => rememberChoice(settings, me.id, id))
          // The camera filter and an open alert belong to the previous Empresa.
          void navigate({ to: '.', search: { empresa: id } })
        }}
      />
      {chosen && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-pressed={isFavourite}
          aria-label={t('painel.escolha.favoritar', chosen)}
          onClick={() => update(() => toggleFavourite(settings, me.id, chosen.id))}
        >
          {isFavourite ? <IconStarFilled size={18} /> : <IconStar size={18} />}
        </ActionIcon>
      )}
    </div>
  )
}
