import { lerData } from '../../brazil/calendario/datas.ts';
import { bem, exigido, mal, opcional } from '../campos/campos.ts';
import type { Leitor } from '../campos/campos.ts';
import { inteiro, texto } from '../campos/leitores.ts';
import { bytesDoIp } from './endereco.regras.ts';

/** A moment with its zone: without it nobody knows which of 24 hours is meant (LC 95 and courts' orders give Brasília's or UTC). */
const instanteComFuso: Leitor<Date> = (valor) => {
  const escrito = typeof valor === 'string' ? valor.trim().toUpperCase() : '';
  const partes =
    /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/.exec(
      escrito,
    );
  const instante = new Date(escrito);
  return partes === null || lerData(partes[1] ?? '') === null || Number.isNaN(instante.getTime())
    ? mal('deve ser um instante ISO 8601 com fuso, como 2026-11-20T14:03:09-03:00')
    : bem(instante);
};

const ip: Leitor<Buffer> = (valor) => {
  const bytes = typeof valor === 'string' ? bytesDoIp(valor.trim().toLowerCase()) : null;
  return bytes === null ? mal('deve ser um IPv4 ou IPv6, como 203.0.113.7') : bem(bytes);
};

/** What somebody asks of the connection records, and by which order. */
export const FORMA_DE_CONSULTA = {
  ip: exigido(ip),
  porta: opcional(inteiro(0, 65_535)),
  instante: exigido(instanteComFuso),
  motivo: exigido(texto(5, 200)),
};
