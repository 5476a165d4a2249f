import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

type No = Record<string, any>;

const documento = JSON.parse(readFileSync('test/support/psp/api-pix.json', 'utf8')) as {
  operacoes: Readonly<Record<string, { readonly pedido: No | null; readonly resposta: No | null }>>;
  schemas: Readonly<Record<string, No>>;
};

/** What the Banco Central's file says otherwise than it means: patterns without anchors, or with slashes; `maximum` of a list. */
function corrigir(no: unknown): unknown {
  if (Array.isArray(no)) return no.map(corrigir);
  if (typeof no !== 'object' || no === null) return no;
  const novo: No = {};
  for (const [nome, valor] of Object.entries(no)) {
    if (nome === 'pattern' && typeof valor === 'string') {
      const limpo = valor.replace(/^\/(.*)\/$/, '$1').replace(/^\^(.*)\$$/, '$1');
      novo[nome] = `^(?:${limpo})$`;
    } else if (nome === '$ref' && typeof valor === 'string')
      novo[nome] = valor.replace('#/components/schemas/', '#/$defs/');
    else if (nome !== 'format' || valor === 'date') novo[nome] = corrigir(valor);
  }
  if (novo['type'] === 'array' && 'maximum' in novo) {
    novo['maxItems'] = novo['maximum'];
    delete novo['maximum'];
  }
  return novo;
}

const defs = corrigir(documento.schemas) as Record<string, No>;
// A static code's txid of 1 to 25 is told of as well; the file asks for 26 to 35 at the same time.
defs['Pix']!['properties']['txid'] = { type: 'string', pattern: '^[a-zA-Z0-9]{1,35}$' };
// What it requires of the payee stands beside him instead of in him; a list of PIX requires `cobs`, which is another list's.
delete defs['DadosRecebedor']!['required'];
defs['PixConsultados']!['required'] = ['parametros'];
// Its only field has a default.
for (const nome of ['CobSolicitada']) {
  const semCalendario = (no: No): void => {
    if (Array.isArray(no['required'])) no['required'] = no['required'].filter((um: string) => um !== 'calendario');
    for (const um of no['allOf'] ?? []) semCalendario(um);
  };
  semCalendario(defs[nome]!);
}

const ajv = new Ajv({ strict: false, formats: { date: /^\d{4}-\d{2}-\d{2}$/ } });
const conferencias = new Map<string, ReturnType<typeof ajv.compile>>();

/** What the API Pix's schemas say against a body; null: nothing, or they say nothing of it. */
export function conferirApiPix(operacao: string, lado: 'pedido' | 'resposta', corpo: unknown): string | null {
  const schema = documento.operacoes[operacao]?.[lado];
  if (schema === null || schema === undefined) return null;
  const nome = `${operacao} ${lado}`;
  let conferencia = conferencias.get(nome);
  if (conferencia === undefined) {
    conferencia = ajv.compile({ ...(corrigir(schema) as No), $defs: defs });
    conferencias.set(nome, conferencia);
  }
  return conferencia(corpo) ? null : ajv.errorsText(conferencia.errors);
}
