#!/bin/sh
# Guess:  a transliterator writes a Chinese name as the passport has it.
# So is:  some characters are read otherwise when they are a surname. transliteration, any-ascii and unidecode, and
#         pinyin-pro without an option, give the dictionary's reading: Ceng for Zeng, Dan for Shan, Qu for Ou, Cha for Zha.
#         pinyin-pro has them right with surname: 'head'.
# Schools: the Latin name of the certificate or the exam entry is not the name of the passport, and the pupil is not let in.
. "$(dirname "$0")/lib.sh"

install transliteration@2.6.1 any-ascii@0.3.3 unidecode@1.1.0 pinyin-pro@3.29.4
run <<'JS'
import { transliterate } from 'transliteration';
import anyAscii from 'any-ascii';
import unidecode from 'unidecode';
import { pinyin } from 'pinyin-pro';
for (const name of ['曾美', '单美', '区美', '查美', '仇美', '王美']) {
  const plain = pinyin(name, { toneType: 'none' });
  const surname = pinyin(name, { toneType: 'none', surname: 'head' });
  console.log(`${name}: ${transliterate(name)} | ${anyAscii(name)} | ${unidecode(name).trim()} | pinyin-pro ${plain}, as a name ${surname}`);
}
JS
seen <<'TEXT'
曾美: Ceng Mei | CengMei | Ceng Mei | pinyin-pro ceng mei, as a name zeng mei
单美: Dan Mei | DanMei | Dan Mei | pinyin-pro dan mei, as a name shan mei
区美: Qu Mei | QuMei | Qu Mei | pinyin-pro qu mei, as a name ou mei
查美: Cha Mei | ChaMei | Cha Mei | pinyin-pro cha mei, as a name zha mei
仇美: Chou Mei | ChouMei | Chou Mei | pinyin-pro chou mei, as a name qiu mei
王美: Wang Mei | WangMei | Wang Mei | pinyin-pro wang mei, as a name wang mei
TEXT
