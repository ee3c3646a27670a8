import { useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NavLink } from './nav-link.tsx'
import classes from './navigation.module.css'
import { pagesOf } from './navigation.ts'

/** All pages of the login, in groups, at the side of a laptop or wall screen. */
export function SideNavigation() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  return (
    <nav className={classes.side} aria-label={t('painel.navegacao')}>
      {pagesOf(me).map(({ grupo, pages }) => (
        <div key={grupo}>
          {pages.length > 1 && <p className={classes.heading}>{t(`painel.grupo.${grupo}`)}</p>}
          <ul aria-label={t(`painel.grupo.${grupo}`)}>
            {pages.map((page) => (
              <li key={page.to}>
                <NavLink page={page} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
