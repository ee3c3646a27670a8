import { Button } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../../api/queries.ts'
import { useServices } from '../../session/services.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Row } from '../../ui/layout.tsx'
import classes from './demonstration.module.css'

// Few people need it, and once.
const EndDemonstration = lazy(async () => ({ default: (await import('./end-demonstration.tsx')).EndDemonstration }))

/** The demonstration in the scope of this login; undefined: there is none. */
function useDemonstration() {
  const { api } = useServices()
  return useQuery(empresasQuery(api)).data?.find(({ demonstracao }) => demonstracao)
}

/** States that cameras and alerts are simulated. A login folds it to one line, and the operator ends all of it. */
export function Demonstration() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa: shown } = useSearch({ from: '/painel' })
  const { settings } = useServices()
  const key = `vigia.demonstracao.${me.id}`
  const [folded, setFolded] = useState(settings.getItem(key) !== null)
  const [ending, setEnding] = useState(false)
  const empresa = useDemonstration()
  if (!empresa || (shown !== undefined && shown !== empresa.id)) return null
  const fold = () => {
    if (folded) settings.removeItem(key)
    else settings.setItem(key, 'recolhida')
    setFolded(!folded)
  }
  const operator = me.papel === 'administrador' && me.empresa_id === null
  return (
    <section className={classes.banner} data-folded={folded || undefined} aria-label={t('painel.demonstracao.titulo')}>
      <IconFlask size={22} aria-hidden="true" />
      <p className={classes.text}>
        {folded ? t('painel.demonstracao.titulo') : t('painel.demonstracao.texto', { nome: empresa.nome })}
      </p>
      {operator && !folded && (
        <Row gap={5}>
          <ButtonLink to="/gravadores/novo" search={{ simulado: true }} variant="default" size="compact-md">
            {t('painel.demonstracao.experimentar')}
          </ButtonLink>
          <Button variant="default" size="compact-md" onClick={() => setEnding(true)}>
            {t('painel.demonstracao.encerrar')}
          </Button>
        </Row>
      )}
      <Button variant="subtle" size="compact-md" aria-expanded={!folded} onClick={fold}>
        {t(folded ? 'painel.demonstracao.mostrar' : 'painel.demonstracao.recolher')}
      </Button>
      {ending && (
        <Suspense>
          <EndDemonstration id={empresa.id} onClose={() => setEnding(false)} />
        </Suspense>
      )}
    </section>
  )
}
