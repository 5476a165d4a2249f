import test from 'ava';
import * as fc from 'fast-check';
import {
  depoisDe,
  estadoNaRede,
  grupoBloqueadoEm,
  grupoRetiradoEm,
  negaAcesso,
  planejarGrupos,
  primeiroGrupo,
} from '../../../src/domain/rede/grupos.regras.ts';
import type { EntradaDosGrupos, LinhaDeGrupo } from '../../../src/domain/rede/grupos.regras.ts';

const ESTADOS = ['liberado', 'bloqueado', 'retirado'] as const;
const NOSSOS_NAS = ['10.0.0.1', '10.0.0.2'];
const NAS_DE_OUTRO = ['10.9.0.1', '10.9.0.2'];
const NOMES = [
  'bloqueado',
  'Bloqueado',
  'bloqueado-p3',
  'bloqueado-p9',
  'retirado',
  'plano-1',
  'PLANO-2',
  ...[...NOSSOS_NAS, ...NAS_DE_OUTRO].flatMap((nas) => [grupoBloqueadoEm(nas), grupoRetiradoEm(nas)]),
  'ipv6',
  'vip',
];

const atuais: fc.Arbitrary<LinhaDeGrupo[]> = fc
  .array(fc.record({ groupname: fc.constantFrom(...NOMES), priority: fc.integer({ min: -5, max: 5 }) }), {
    maxLength: 8,
  })
  .map((linhas) => linhas.map((linha, n) => ({ ...linha, id: n + 1 })));

const entrada = (outros: fc.Arbitrary<EntradaDosGrupos['outros']>): fc.Arbitrary<EntradaDosGrupos> =>
  fc.record({
    estado: fc.constantFrom(...ESTADOS),
    grupo: fc.constant('plano-1'),
    gruposDosPlanos: fc.constant(new Set(['plano-1', 'plano-2'])),
    atuais,
    bloqueado: fc.constantFrom('bloqueado', 'bloqueado-p3'),
    nasProprios: fc.subarray(NOSSOS_NAS),
    nas: fc.constant(NOSSOS_NAS),
    outros,
  });

const SO_NOSSO = entrada(fc.constant([]));
const DE_DOIS = entrada(
  fc.record({ nas: fc.constant(NAS_DE_OUTRO), estado: fc.constantFrom(...ESTADOS) }).map((outro) => [outro]),
);
const UNICOS = (linhas: readonly LinhaDeGrupo[]): LinhaDeGrupo[] => [
  ...new Map(linhas.map((linha) => [linha.groupname.toLowerCase(), linha])).values(),
];

const aplicar = (dada: EntradaDosGrupos): LinhaDeGrupo[] =>
  depoisDe(dada.atuais, planejarGrupos(dada)).map((linha, n) => ({ ...linha, id: n + 1 }));

test('só quem está ativo passa; cancelado e pendente não têm rede, nem a de quem deve', (t) => {
  t.is(estadoNaRede('ativo'), 'liberado');
  for (const situacao of ['bloqueado', 'inativo'] as const) t.is(estadoNaRede(situacao), 'bloqueado');
  for (const situacao of ['pendente', 'cancelado', 'cancelado_definitivo'] as const) {
    t.is(estadoNaRede(situacao), 'retirado');
  }
});

test('em cada NAS do provedor, o primeiro grupo é o do estado, e repetir não muda nada', (t) => {
  fc.assert(
    fc.property(SO_NOSSO, (dada) => {
      const depois = aplicar(dada);
      for (const nas of NOSSOS_NAS) {
        const primeiro = primeiroGrupo(depois, nas);
        if (dada.estado === 'retirado') t.is(primeiro?.toLowerCase(), 'retirado');
        else if (dada.estado === 'bloqueado') {
          const proprio = dada.nasProprios.includes(nas);
          t.is(primeiro?.toLowerCase(), proprio ? grupoBloqueadoEm(nas) : dada.bloqueado);
        } else t.true(depois.some(({ groupname }) => groupname.toLowerCase() === 'plano-1'));
      }
      t.deepEqual(planejarGrupos({ ...dada, atuais: depois }), { apagar: [], inserir: [] });
    }),
  );
});

test('liberado, nada do que nega fica nos NAS do provedor; grupos de ninguém nosso ficam onde estavam', (t) => {
  fc.assert(
    fc.property(SO_NOSSO, (dada) => {
      const depois = aplicar(dada);
      if (dada.estado === 'liberado') {
        const negam = depois.filter(
          (linha) => negaAcesso(linha) && !NAS_DE_OUTRO.some((nas) => linha.groupname.endsWith(nas)),
        );
        t.deepEqual(negam, []);
      }
      const deOutrem = ({ groupname }: LinhaDeGrupo): boolean => ['ipv6', 'vip'].includes(groupname);
      t.deepEqual(
        depois.filter(deOutrem).map(({ groupname, priority }) => ({ groupname, priority })),
        dada.atuais.filter(deOutrem).map(({ groupname, priority }) => ({ groupname, priority })),
      );
    }),
  );
});

test('um login de dois: nos NAS do outro, o que o negava ou não o negava continua como o seu estado diz', (t) => {
  fc.assert(
    fc.property(DE_DOIS, (sorteada) => {
      const dada = { ...sorteada, atuais: UNICOS(sorteada.atuais) };
      const [outro] = dada.outros;
      const depois = aplicar(dada);
      const geral = dada.atuais.some(({ groupname }) => /^(?:bloqueado(?:-p\d+)?|retirado)$/i.test(groupname));
      const negadoEm = (linhas: readonly LinhaDeGrupo[], nas: string): boolean =>
        linhas.some(({ groupname }) => groupname.endsWith(`-${nas}`));
      for (const nas of NAS_DE_OUTRO) {
        const antes = negadoEm(dada.atuais, nas);
        t.is(negadoEm(depois, nas), antes || (geral && outro!.estado !== 'liberado'));
      }
      // Nothing that holds everywhere is left, and on the provider's own NASes stands what its state asks for.
      t.false(depois.some(({ groupname }) => /^(?:bloqueado(?:-p\d+)?|retirado)$/i.test(groupname)));
      for (const nas of NOSSOS_NAS) {
        const esperado = { liberado: undefined, bloqueado: grupoBloqueadoEm(nas), retirado: grupoRetiradoEm(nas) };
        t.is(depois.find(({ groupname }) => groupname.endsWith(`-${nas}`))?.groupname, esperado[dada.estado]);
      }
      t.deepEqual(planejarGrupos({ ...dada, atuais: depois }), { apagar: [], inserir: [] });
    }),
  );
});
