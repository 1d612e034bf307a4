// The description of the static site, which its builder wrote into the page.

export interface SiteNetwork {
  name: string
  file: string
  bytes: number
}

export interface Site {
  version: string // changes whenever a file of the page changes
  engine: string
  worker: string
  networks: SiteNetwork[] // the first one is loaded automatically
  endings?: SiteNetwork // loaded after the network
  samples: SiteNetwork[] // samples of solved endings, loaded last
}

/** site is null for a page with a server. */
export const site: Site | null = (() => {
  const text = document.getElementById('site')?.textContent
  return text ? (JSON.parse(text) as Site) : null
})()

export const folder = new URL('.', location.href.replace(/[?#].*/, '')).href
