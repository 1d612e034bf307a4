import{t as m}from"./chunk-B4T37DHS.js";import{j as e}from"./chunk-3DPZU3CH.js";var n=null;function l(){return n??=new m(e),n}export{l as a};
