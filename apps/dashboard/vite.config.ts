import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './compress-files.ts'
import { fontLicence } from './font-licence.ts'

const cloud = 'http://127.0.0.1:8080'

/**
 * `vite build` writes dist/, which the cloud serves. With `--mode screenshots` the build also has the page `/ui`
 * (src/app/ui-route.ts). `vite` serves the sources and proxies API calls to a running cloud.
 */
export default defineConfig({
  plugins: [react(), fontLicence(), compressFiles()],
  build: {
    target: 'es2022',
    sourcemap: false,
    // A data: URL would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
  },
  experimental: {
    // One build for every path: files of the build find each other, and the cloud changes the addresses of the page.
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }),
  },
  server: {
    proxy: {
      '/api': cloud,
      '/logout': cloud,
      '/healthz': cloud,
      // The cloud handles only the form's POST; GET /login is a page of this app.
      '/login': { target: cloud, bypass: (request) => (request.method === 'POST' ? undefined : '/index.html') },
    },
  },
})
