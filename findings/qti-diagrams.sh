#!/bin/sh
# Guess:  a converter of QTI 2.1 to 3.0 renames what is QTI's and copies a drawing inside an item as it is.
# So is:  qti-convert writes all attributes with hyphens, also those of SVG: viewBox becomes view-box and gradientUnits
#         gradient-units, which SVG does not know, and it drops the namespace of SVG, so that the elements are QTI's and no
#         drawing. MathML beside it is kept.
# Schools: the diagram of a question is blank or cut off in the exam, and the item is still valid at a glance.
. "$(dirname "$0")/lib.sh"

install @citolab/qti-convert@0.3.52
run <<'JS'
import { convertQti2toQti3 } from '@citolab/qti-convert/qti-convert-node';
const item = await convertQti2toQti3(`<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i1" title="Triangle" adaptive="false" timeDependent="false">
<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="integer"/>
<itemBody>
<p><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>a</mi></math></p>
<div><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" preserveAspectRatio="xMidYMid"><linearGradient id="g" gradientUnits="userSpaceOnUse"/></svg></div>
<p><textEntryInteraction responseIdentifier="RESPONSE" expectedLength="5"/></p>
</itemBody>
</assessmentItem>`);
for (const line of item.split('\n')) if (/<(svg|math|qti-text)|:svg/.test(line)) console.log(line.trim());
JS
seen <<'TEXT'
<p><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>a</mi></math></p>
<div><svg view-box="0 0 10 10" preserve-aspect-ratio="xMidYMid"><linearGradient id="g" gradient-units="userSpaceOnUse"/></svg></div>
<p><qti-text-entry-interaction response-identifier="RESPONSE" expected-length="5"/></p>
TEXT
