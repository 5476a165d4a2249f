import test from 'ava';
import { constant, html, toText } from '../../src/kit/html/html.ts';

test('todo texto posto num pedaço de HTML é escapado, no conteúdo e entre aspas', (t) => {
  const texto = `<b a="1" c='2'>&amp;</b>`;
  const escapado = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;';
  t.is(toText(html`<p title="${texto}">${texto}</p>`), `<p title="${escapado}">${escapado}</p>`);
});

test('pedaços entram como são, listas em ordem, nulos como nada e números como texto', (t) => {
  const itens = ['<', '>'].map((texto) => html`<i>${texto}</i>`);
  t.is(toText(html`${itens}${null}${0}${constant('<hr>')}`), '<i>&lt;</i><i>&gt;</i>0<hr>');
  t.is(toText(html``), '');
});
