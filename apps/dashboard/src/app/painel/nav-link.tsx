import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useDownNow } from '../../domains/eventos/quedas/use-down-now.ts'
import classes from './navigation.module.css'
import type { navPages } from './navigation.ts'

interface NavLinkProps {
  readonly page: (typeof navPages)[number]
  readonly onClick?: () => void
}

/** One entry of the navigation. */
export function NavLink({ page: { to, texto, icon: Icon }, onClick }: NavLinkProps) {
  const { t } = useTranslation()
  return (
    <Link
      to={to}
      className={classes.link}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      {...(onClick && { onClick })}
    >
      <Icon size={20} aria-hidden="true" />
      <span>{t(`painel.${texto}`)}</span>
      {to === '/quedas' && <DownCount />}
    </Link>
  )
}

/** Number of open quedas, on each page. */
function DownCount() {
  const { t } = useTranslation()
  const { edges, cameras } = useDownNow()
  const count = edges.length + cameras.length
  if (count === 0) return null
  return (
    <span className={classes.down}>
      <span aria-hidden="true">{count}</span>
      <VisuallyHidden>{t('painel.quedasAbertas', { count })}</VisuallyHidden>
    </span>
  )
}
