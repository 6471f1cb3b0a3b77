import { expect, test } from 'vitest'
import { serviceOf } from './load-chunk.ts'

test.each(['https://a.example/', 'https://a.example/docs/'])(
  'the service %s is found from each of its scripts, whatever stands behind their names',
  (service) => {
    for (const script of ['widget.js', 'widget/form.js', 'widget/0.1.0-abc/widget.js'])
      for (const more of ['', '?v=1', '?v=a/b', '#/x', '?a=/widget/b/c#?d/e', '?v=widget/1/'])
        expect([script + more, serviceOf(service + script + more)]).toEqual([script + more, service])
  },
)
