// Data that the page stored before 0.1.0 has former names in its specs. Package player/spec/former
// has the same table; a test compares them.

const names: Record<string, string> = {
  'cut=': 'min_prob=', 'margin=': 'prune_margin=', 'spare=': 'soft_limit=', 'phase=': 'depth_by_tiles=', 'table=': 'tt=',
  'scope=position': 'tt_lifetime=search', 'scope=move': 'tt_lifetime=root_move', 'scope=game': 'tt_lifetime=game',
  'strict=': 'tt_exact=', 'engine=fast': 'impl=bitboard', 'engine=plain': 'impl=generic', 'dead=': 'death_value=', 'reroot=': 'reuse_tree=',
  'eval=smooth': 'eval=smoothness', 'eval=monotone': 'eval=monotonicity', 'smooth=': 'smoothness=', 'monotone=': 'monotonicity=',
  'load=': 'power_sum=', 'load_power=': 'power_sum_power=', 'rough=': 'roughness=',
}

const former = new RegExp(`([(,])(${Object.keys(names).map((n) => n + (n.endsWith('=') ? '' : '(?=[,)])')).join('|')})`, 'g')

/** today returns stored data with the current names in its specs. */
export function today(v: unknown): unknown {
  if (typeof v === 'string') return /^[a-z-]+\(.*\)$/.test(v) ? v.replace(former, (_, before: string, name: string) => before + names[name]) : v
  if (Array.isArray(v)) return v.map(today)
  if (typeof v === 'object' && v !== null) return Object.fromEntries(Object.entries(v).map(([key, x]) => [key, today(x)]))
  return v
}
